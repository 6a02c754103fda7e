/** Logs one line for each request. Headers and queries are not logged, because they contain tokens and search terms. */
import type { Logger } from "pino";

import type { Middleware } from "./state.ts";

export function logRequests(log: Logger): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    await next();
    const { requestId, principal } = ctx.state;
    const durationMs = Math.round((performance.now() - started) * 100) / 100;
    log.info(
      { requestId, method: ctx.method, path: ctx.path, status: ctx.status, durationMs, tokenId: principal?.tokenId },
      "request",
    );
  };
}
