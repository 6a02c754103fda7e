/** Refuses web pages of other origins, which protects against DNS rebinding. */
import { AppError } from "../../errors.ts";
import { isSameOrigin } from "../same-origin.ts";
import type { Check } from "../state.ts";
import { MCP_PATH } from "./path.ts";

/**
 * Makes the check. A page whose host name was pointed at this machine still sends that name as its `Origin`. Programs
 * send no `Origin`. The check throws AppError `forbidden`.
 */
export function refuseForeignOrigins(publicUrl: () => string): Check {
  return ({ path, req }) => {
    const origins = req.headersDistinct["origin"] ?? [];
    if (path !== MCP_PATH || origins.every((origin) => isSameOrigin(origin, publicUrl()))) return;
    throw new AppError("forbidden", "Pages of other origins may not ask here.");
  };
}
