/** Translates every error into the error body of the specification. */
import type { Logger } from "pino";

import { AppError } from "../../errors.ts";
import { CLIENT_GONE } from "../../work/caller.ts";
import type { Middleware, RestContext } from "../state.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The specification's error body as text. */
export function toErrorAnswer({ code, message, details, status, retryAfterSeconds }: AppError): ErrorAnswer {
  const headers = {
    "Content-Type": JSON_TYPE,
    ...(status === 401 && { "WWW-Authenticate": "Bearer" }),
    ...(retryAfterSeconds !== undefined && { "Retry-After": String(retryAfterSeconds) }),
  };
  return { status, headers, body: JSON.stringify({ error: code, message, details }) };
}

export type Translator = (error: AppError) => ErrorAnswer;

/** Answers every error of the later steps. An error that is not an AppError is logged and not shown. */
export function answerErrors(log: Logger, translatorFor: (ctx: RestContext) => Translator): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = thrown instanceof AppError ? thrown : new AppError("internal_error", INTERNAL);
      const { requestId } = ctx.state;
      if (thrown === CLIENT_GONE) log.debug({ requestId }, "the client closed the connection");
      else if (thrown !== error) log.error({ err: thrown, requestId }, "unexpected error");
      else if (error.code === "unavailable")
        log.warn({ err: error.cause, location: error.location, requestId }, error.message);
      const { status, headers, body } = translatorFor(ctx)(error);
      ctx.status = status;
      ctx.set(headers);
      ctx.body = body;
    }
  };
}

const INTERNAL = "Something went wrong in the service; its log has more under this answer's X-Request-Id.";

/** Error codes of a socket or stream whose client is gone. */
const GONE: ReadonlySet<string | undefined> = new Set(["ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE"]);

/** Logs an error while a response is being sent: as a warning, unless the client is just gone, which may happen at any time. */
export function logFailedResponse(log: Logger): (err: NodeJS.ErrnoException, ctx: RestContext) => void {
  return (err, { state: { requestId } }) => {
    if (err === CLIENT_GONE || GONE.has(err.code)) log.debug({ requestId }, "the client closed the connection");
    else log.warn({ err, requestId }, "response failed");
  };
}
