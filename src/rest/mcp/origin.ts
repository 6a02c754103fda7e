/** Refuses web pages of other origins, which protects against DNS rebinding. */
import { AppError } from "../../errors.ts";
import { isLoopback } from "../../limits/loopback.ts";
import type { Check } from "../state.ts";
import { MCP_PATH } from "./path.ts";

/**
 * Makes the check. A page whose host name was pointed at this machine still sends that name as its `Origin`. Programs
 * send no `Origin`. The check throws AppError `forbidden`.
 */
export function refuseForeignOrigins(publicUrl: () => string): Check {
  return ({ path, req }) => {
    const origins = req.headersDistinct["origin"] ?? [];
    if (path !== MCP_PATH || origins.every((origin) => isOwn(origin, publicUrl()))) return;
    throw new AppError("forbidden", "Pages of other origins may not ask here.");
  };
}

/** A service on this machine has several names, such as `localhost` and `127.0.0.1`. */
function isOwn(origin: string, own: string): boolean {
  if (origin === own) return true;
  const [given, ours] = [URL.parse(origin), new URL(own)];
  if (given === null || given.origin !== origin) return false;
  return isLoopback(given.hostname) && isLoopback(ours.hostname) && given.port === ours.port;
}
