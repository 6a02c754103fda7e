/** Which web pages may speak the protocol: those of the service alone, as it must refuse others against DNS rebinding. */
import { AppError } from "../../errors.ts";
import { isLoopback } from "../../limits/loopback.ts";
import type { Check } from "../state.ts";
import { MCP_PATH } from "./path.ts";

/**
 * Refuses what a page of elsewhere sends. A page whose name was made to lead to this machine sends that name as its
 * origin, while programs send none. @throws AppError `forbidden`
 */
export function refuseForeignOrigins(publicUrl: () => string): Check {
  return ({ path, req }) => {
    const origins = req.headersDistinct["origin"] ?? [];
    if (path !== MCP_PATH || origins.every((origin) => isOwn(origin, publicUrl()))) return;
    throw new AppError("forbidden", "Pages of other origins may not ask here.");
  };
}

/** A service on this machine goes by several names. */
function isOwn(origin: string, own: string): boolean {
  if (origin === own) return true;
  const [given, ours] = [URL.parse(origin), new URL(own)];
  if (given === null || given.origin !== origin) return false;
  return isLoopback(given.hostname) && isLoopback(ours.hostname) && given.port === ours.port;
}
