/** Compares the origin that a browser names with our own, and refuses the requests of other sites' pages. */
import { isIP } from "node:net";

import { AppError } from "../errors.ts";
import { isLoopback, withoutBrackets } from "../addresses/loopback.ts";
import { MCP_PATH } from "./paths.ts";
import type { Check, RestContext } from "./state.ts";

interface OriginParts {
  publicUrl: () => string;
  /** Whether the settings say where people reach the service. */
  hasPublicUrl: boolean;
}

/**
 * Makes a check for requests that have or set a session cookie. A header must name their origin, and the origin must be
 * this service. The check throws AppError `forbidden`.
 */
export function requireOwnOrigin(parts: OriginParts): Check {
  return (ctx) => {
    const [origins, sites] = [ctx.req.headersDistinct["origin"] ?? [], ctx.req.headersDistinct["sec-fetch-site"] ?? []];
    const isOwn =
      origins.length + sites.length > 0 &&
      sites.every((site) => site === "same-origin") &&
      origins.every((origin) => isOwnOrigin(origin, ctx, parts));
    if (isOwn) return;
    throw new AppError(
      "forbidden",
      "Only pages of this service may ask this. If this is one, set PUBLIC_URL to the address that the browser shows.",
      { details: { reason: "origin" } },
    );
  };
}

/**
 * Without a public URL, the address in the browser is accepted too, if it is an IP address. A name of another site could point
 * to this machine (DNS rebinding).
 */
function isOwnOrigin(origin: string, ctx: RestContext, { publicUrl, hasPublicUrl }: OriginParts): boolean {
  if (isSameOrigin(origin, publicUrl())) return true;
  const url = hasPublicUrl ? null : URL.parse(origin);
  if (url === null || origin !== `http://${ctx.get("Host")}`) return false;
  return isIP(withoutBrackets(url.hostname)) !== 0;
}

/** Whether two origins are the same service. This machine has several names, such as `localhost` and `127.0.0.1`. */
function isSameOrigin(origin: string, own: string): boolean {
  if (origin === own) return true;
  const [given, ours] = [URL.parse(origin), new URL(own)];
  if (given === null || given.origin !== origin || given.protocol !== ours.protocol) return false;
  return isLoopback(given.hostname) && isLoopback(ours.hostname) && given.port === ours.port;
}

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
