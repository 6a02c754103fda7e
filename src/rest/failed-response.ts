/** Errors of a response under way; all others were answered before. */
import type { Logger } from "pino";

import { CLIENT_GONE } from "../work/caller.ts";
import type { RestContext } from "./state.ts";

/** How a client that is gone shows in the socket, or in the stream of an answer that it did not take whole. */
const GONE: ReadonlySet<string | undefined> = new Set(["ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE"]);

/** A client may go at any time: only what else fails is worth a warning. */
export function logFailedResponse(log: Logger): (err: NodeJS.ErrnoException, ctx: RestContext) => void {
  return (err, { state: { requestId } }) => {
    if (err === CLIENT_GONE || GONE.has(err.code)) log.debug({ requestId }, "the client closed the connection");
    else log.warn({ err, requestId }, "response failed");
  };
}
