/** Logs errors while a response is being sent. Earlier errors are answered. */
import type { Logger } from "pino";

import { CLIENT_GONE } from "../work/caller.ts";
import type { RestContext } from "./state.ts";

/** Error codes of a socket or stream whose client is gone. */
const GONE: ReadonlySet<string | undefined> = new Set(["ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE"]);

/** Logs a warning, unless the client is just gone, which may happen at any time. */
export function logFailedResponse(log: Logger): (err: NodeJS.ErrnoException, ctx: RestContext) => void {
  return (err, { state: { requestId } }) => {
    if (err === CLIENT_GONE || GONE.has(err.code)) log.debug({ requestId }, "the client closed the connection");
    else log.warn({ err, requestId }, "response failed");
  };
}
