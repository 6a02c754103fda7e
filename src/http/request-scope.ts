/** Sets up a request before its token is checked: its id and its source. */
import { randomUUID } from "node:crypto";

import { AppError } from "../errors.ts";
import { callerOf } from "../graphql/context.ts";
import type { SourceFinder } from "../addresses/source-address.ts";
import type { EventLoopScheduler } from "../work/event-loop-scheduler.ts";
import type { Middleware } from "./state.ts";

export interface ScopeParts {
  findSource: SourceFinder;
  turns: EventLoopScheduler;
}

/**
 * Every answer has an `X-Request-Id`, so that the log lines of a caller's request can be found. If the request has one
 * that is a UUID, it is used; otherwise a new one is made.
 */
export function openScope({ findSource, turns }: ScopeParts): Middleware {
  return (ctx, next) => {
    const given = ctx.get("X-Request-Id");
    const requestId = toRequestId(given) ?? randomUUID();
    const source = findSource(ctx.req.socket.remoteAddress, ctx.req.headersDistinct["x-forwarded-for"] ?? []);
    const work = new AbortController();
    const giveUp = (reason: AppError): void => work.abort(reason);
    ctx.state = {
      principal: null,
      wasWhole: false,
      requestId,
      source,
      signal: work.signal,
      giveUp,
      takeUnits: refuseUnits,
      nextTurn: () => turns.next(callerOf(ctx.state)),
    };
    ctx.set("X-Request-Id", requestId);
    return next();
  };
}

/** Before a token is accepted, there is no quota. */
async function refuseUnits(): Promise<never> {
  throw new AppError("unauthorized", "A Bearer token is needed.");
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the text that a client sent as `X-Request-Id` if it is a UUID, else null. */
export function toRequestId(given: string): string | null {
  return UUID.test(given) ? given : null;
}
