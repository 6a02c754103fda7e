/** Sends JSON. Limits the size of one answer, and the total size of answers that clients have not read yet. */
import { Readable } from "node:stream";

import { overloaded } from "../../errors.ts";
import { callerOf } from "../../graphql/context.ts";
import { overBudget } from "../../work/budget.ts";
import { type Caller, CLIENT_GONE } from "../../work/caller.ts";
import { planJson, SLICE_CHARACTERS, writeSlices } from "../../work/json-slices.ts";
import type { EventLoopScheduler } from "../../work/event-loop-scheduler.ts";
import { JSON_TYPE } from "./error-answer.ts";
import type { RestContext } from "../state.ts";

/** Listeners on `close`: about six from pipe(), besides Koa's and ours. */
const MAX_LISTENERS = 20;
const DEFAULT_MAX_WAITING = 512 * 1024 * 1024;

export type Answers = ReturnType<typeof createAnswers>;

interface AnswerParts {
  turns: EventLoopScheduler;
  maxAnswerBytes: number;
  /** The limit in characters for all large answers together that clients have not read yet. */
  maxWaiting?: number;
}

export function createAnswers({ turns, maxAnswerBytes, maxWaiting = DEFAULT_MAX_WAITING }: AnswerParts) {
  let waiting = 0;

  /**
   * @returns the caller for writing the answer. The request's time limit no longer counts; the server limits the
   * reading.
   */
  function hold({ res, state }: RestContext, size: number): Caller {
    const { tenant, signal } = callerOf(state);
    // If the client has disconnected, `close` never comes.
    signal.throwIfAborted();
    if (waiting + size > maxWaiting) {
      throw overloaded("Too many large answers are being sent; there is no memory for another one.");
    }
    waiting += size;
    const gone = new AbortController();
    res.setMaxListeners(MAX_LISTENERS);
    res.once("close", () => {
      waiting -= size;
      gone.abort(CLIENT_GONE);
    });
    return { tenant, signal: gone.signal };
  }

  return {
    /**
     * Answers a value as JSON. A large one is written in slices, each when the client has read those before it.
     * @param value must not change any more
     * @throws AppError `bad_request` if the answer would be too long, `unavailable` if clients leave too much unread
     */
    async sendValue(ctx: RestContext, value: unknown): Promise<void> {
      const caller = callerOf(ctx.state);
      const plan = await planJson(value, maxAnswerBytes, () => turns.next(caller));
      if (plan === null) throw overBudget("bytes", maxAnswerBytes);
      const { slices, size } = plan;
      if (!ctx.res.hasHeader("Content-Type")) ctx.set("Content-Type", JSON_TYPE);
      // A small answer needs no turn and is not counted.
      if (size <= SLICE_CHARACTERS) {
        ctx.body = slices.map((slice) => slice.text()).join("");
        return;
      }
      const reader = hold(ctx, size);
      // The stream buffers one slice.
      ctx.body = Readable.from(writeSlices(slices, () => turns.next(reader)));
    },
  };
}
