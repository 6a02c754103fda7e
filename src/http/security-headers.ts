/** Headers that protect browsers from misusing an answer (OWASP REST Security Cheat Sheet). */
import type { Middleware } from "./state.ts";

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

/** If clients reach the service by https, browsers use nothing else for a year (RFC 6797). */
export function toTransportHeaders(publicUrl: string | null): Readonly<Record<string, string>> {
  return publicUrl?.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {};
}

/** Sets them on every answer. Pages and answers that may be cached override them. */
export const setSecurityHeaders: Middleware = (ctx, next) => {
  ctx.set(SECURITY_HEADERS);
  return next();
};
