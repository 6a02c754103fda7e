/** Sends JSON, and bounds how much of it there may be: of one answer, and of all that clients have not taken yet. */
import { overloaded } from "../errors.ts";
import { callerOf } from "../graphql/context.ts";
import { overBudget } from "../work/budget.ts";
import { measureJson } from "../work/measure-json.ts";
import type { Turns } from "../work/turns.ts";
import { JSON_TYPE } from "./error-answer.ts";
import type { RestContext } from "./state.ts";

/** A smaller answer is neither worth a turn of its own nor counted. */
const LARGE_BYTES = 256 * 1024;
const DEFAULT_MAX_WAITING_BYTES = 512 * 1024 * 1024;

export interface Answers {
  /**
   * Answers a value as JSON.
   * @throws AppError `bad_request` where that would be too long, `unavailable` where clients leave too much untaken
   */
  sendValue(ctx: RestContext, value: unknown): Promise<void>;
  /**
   * Answers a text of JSON that was made elsewhere.
   * @throws AppError as `sendValue` does
   */
  sendText(ctx: RestContext, text: string): void;
}

interface AnswerParts {
  turns: Turns;
  maxAnswerBytes: number;
  /** Of all large answers together, until clients have taken them. */
  maxWaitingBytes?: number;
}

export function createAnswers({
  turns,
  maxAnswerBytes,
  maxWaitingBytes = DEFAULT_MAX_WAITING_BYTES,
}: AnswerParts): Answers {
  let waitingBytes = 0;

  function hold({ res }: RestContext, bytes: number): void {
    if (waitingBytes + bytes > maxWaitingBytes) {
      throw overloaded("Too many large answers are under way; this one would not fit beside them.");
    }
    waitingBytes += bytes;
    res.once("close", () => {
      waitingBytes -= bytes;
    });
  }

  function sendText(ctx: RestContext, text: string): void {
    if (text.length > LARGE_BYTES) {
      const bytes = Buffer.byteLength(text);
      if (bytes > maxAnswerBytes) throw overBudget("bytes", maxAnswerBytes);
      hold(ctx, bytes);
    }
    ctx.body = text;
  }

  return {
    sendText,
    async sendValue(ctx, value) {
      const length = measureJson(value, maxAnswerBytes);
      if (length > maxAnswerBytes) throw overBudget("bytes", maxAnswerBytes);
      if (length > LARGE_BYTES) await turns.next(callerOf(ctx.state));
      ctx.set("Content-Type", JSON_TYPE);
      sendText(ctx, JSON.stringify(value));
    },
  };
}
