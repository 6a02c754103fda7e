/** Answers subscriptions as server-sent events, and bounds how many are open and for how long. */
import { once } from "node:events";
import { PassThrough } from "node:stream";

import type { ExecutionResult } from "graphql";

import type { Countdown } from "../../clock.ts";
import { AppError, overloaded } from "../../errors.ts";
import { callerOf, type RequestScope } from "../../graphql/context.ts";
import { overBudget } from "../../work/budget.ts";
import { CLIENT_GONE } from "../../work/caller.ts";
import { planJson } from "../../work/json-slices.ts";
import type { EventLoopScheduler } from "../../work/event-loop-scheduler.ts";
import type { Check, RestContext } from "../state.ts";

/** Shorter than `takenMs` in `server.ts`, the time in which a client must have read a whole answer. */
const MAX_SECONDS = 240;
/** An event is built in one piece, and each open subscription may have one. */
const MAX_EVENT_BYTES = 1_048_576;
const MAX_OPEN = 200;
const MAX_OPEN_FOR_ONE = 8;
/** Proxies drop connections that are silent for 30 or 60 seconds. The token is checked again at the same interval. */
const KEEP_ALIVE_MS = 15_000;
const RETRY_SECONDS = 10;
/** Listeners on `close`: about six from pipe(), beside Koa's and ours. */
const MAX_LISTENERS = 20;

/** The type of the answer, and the form of the events: "GraphQL over Server-Sent Events", distinct connections. */
export const EVENT_STREAM_TYPE = "text/event-stream";

/** A subscription that has a slot. */
interface OpenEvents {
  /** The scope of the request. It lasts as long as the subscription. */
  scope: RequestScope;
  /** Frees the slot, if there is nothing to send. */
  release(): void;
  /** Answers with the events until they end, the time is over, the service stops or the client disconnects. */
  send(events: AsyncIterable<ExecutionResult>, toRefusal: (error: AppError) => ExecutionResult): void;
}

export type EventStreams = ReturnType<typeof createEventStreams>;

interface EventParts {
  countdown: Countdown;
  turns: EventLoopScheduler;
  maxAnswerBytes: number;
}

/** The reason to cancel the work for a subscription whose client is still connected. */
const OVER = new AppError("unavailable", "The time for the subscription is over.", { endsRequest: true });

export function createEventStreams({ countdown, turns, maxAnswerBytes }: EventParts) {
  /** The tenants of the open ones, by what ends each. */
  const open = new Map<() => void, string>();
  const maxEventBytes = Math.min(maxAnswerBytes, MAX_EVENT_BYTES);
  let isClosed = false;

  /** @throws AppError if there are too many */
  function checkRoom(tenant: string): void {
    const own = open.values().filter((other) => other === tenant);
    if (own.toArray().length >= MAX_OPEN_FOR_ONE) {
      throw new AppError(
        "rate_limited",
        `At most ${MAX_OPEN_FOR_ONE} subscriptions may be open for one key or account.`,
        {
          retryAfterSeconds: RETRY_SECONDS,
        },
      );
    }
    if (open.size >= MAX_OPEN) throw overloaded("Too many subscriptions are open.");
  }

  return {
    /**
     * @param checkAgain checks the token before each event, and every few seconds
     * @throws AppError `rate_limited` if the caller has too many open, `unavailable` if there are too many in all, or all
     * have ended
     */
    open(ctx: RestContext, checkAgain: Check): OpenEvents {
      if (isClosed) throw overloaded("The service is about to stop.");
      const { res, state } = ctx;
      const { tenant, signal } = callerOf(state);
      // If the client has disconnected, the slot would leak.
      signal.throwIfAborted();
      checkRoom(tenant);
      const ended = new AbortController();
      const end = (): void => ended.abort(OVER);
      open.set(end, tenant);
      const release = (): void => {
        if (open.delete(end)) stopCountdown();
      };
      const stopCountdown = countdown(MAX_SECONDS * 1_000, end);
      res.setMaxListeners(MAX_LISTENERS);
      res.once("close", () => {
        release();
        ended.abort(CLIENT_GONE);
      });
      // The principal is looked up anew before each event. The time for a request does not count here.
      const scope: RequestScope = {
        ...state,
        get principal() {
          return state.principal;
        },
        signal: ended.signal,
        giveUp: (reason) => ended.abort(reason),
        nextTurn: () => turns.next({ tenant, signal: ended.signal }),
        stillAllowed: async () => checkAgain(ctx),
      };
      return {
        scope,
        release,
        send(events, toRefusal) {
          const out = new PassThrough();
          ctx.status = 200;
          ctx.set({ "Content-Type": `${EVENT_STREAM_TYPE}; charset=utf-8`, "X-Accel-Buffering": "no" });
          ctx.body = out;
          void write(out, textsOf(events, { scope, toRefusal, maxEventBytes }), { countdown, scope });
        },
      };
    },
    /** Ends all subscriptions as if their time were over, and opens no more. */
    endAll(): void {
      isClosed = true;
      for (const end of open.keys()) end();
    },
  };
}

interface Writing {
  scope: RequestScope;
  toRefusal: (error: AppError) => ExecutionResult;
  maxEventBytes: number;
}

/** The events, and whatever ended them early that is to be told. */
async function* textsOf(
  events: AsyncIterable<ExecutionResult>,
  { scope, toRefusal, maxEventBytes }: Writing,
): AsyncGenerator<string, void, undefined> {
  const refuse = (error: AppError): string => toEvent("next", JSON.stringify(toRefusal(error)));
  let isRefused = false;
  try {
    for await (const result of events) {
      const plan = await planJson(result, maxEventBytes, scope.nextTurn);
      if (isOver(scope.signal)) break;
      isRefused = plan === null || result.errors !== undefined;
      yield plan === null
        ? refuse(overBudget("bytes", maxEventBytes))
        : toEvent("next", plan.slices.map((slice) => slice.text()).join(""));
      if (plan === null) break;
    }
    const reason: unknown = scope.signal.reason;
    if (reason instanceof AppError && !isOver(scope.signal) && !isRefused) yield refuse(reason);
  } catch (error) {
    if (!isOver(scope.signal)) {
      if (!(error instanceof AppError)) throw error;
      yield refuse(error);
    }
  }
  yield toEvent("complete", "");
}

/** Whether the subscription ended without an error that the client should see. A spent budget is such an error. */
function isOver({ reason }: AbortSignal): boolean {
  return reason === OVER || reason === CLIENT_GONE;
}

/** The data is JSON, which has no line breaks. */
function toEvent(name: "next" | "complete", data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}

/** Writes each text when the client has read the texts before it, and keep-alive comments in between. */
async function write(
  out: PassThrough,
  texts: AsyncIterable<string>,
  { countdown, scope }: { countdown: Countdown; scope: RequestScope },
): Promise<void> {
  const { signal } = scope;
  const keepAlive = (): void => {
    if (out.writableLength === 0) out.write(":\n\n");
    void endUnlessAllowed(scope);
    stop = countdown(KEEP_ALIVE_MS, keepAlive);
  };
  let stop = countdown(KEEP_ALIVE_MS, keepAlive);
  try {
    // The headers go out before the first event.
    out.write(":\n\n");
    for await (const text of texts) {
      if (out.destroyed) break;
      if (!out.write(text)) await once(out, "drain", { signal });
    }
    out.end();
  } catch (error) {
    // It is no fault if the client reads nothing when its time is over.
    if (signal.aborted) out.end();
    else out.destroy(error instanceof Error ? error : new Error(String(error)));
  } finally {
    stop();
  }
}

/** Events may be rare. A revoked token must not keep its slot until the next one. */
async function endUnlessAllowed({ stillAllowed, giveUp }: RequestScope): Promise<void> {
  try {
    await stillAllowed?.();
  } catch (error) {
    giveUp(error instanceof AppError ? error : OVER);
  }
}
