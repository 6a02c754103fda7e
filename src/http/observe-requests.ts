/** Logs, counts and traces each request. */
import type { Router } from "@koa/router";
import type { Logger } from "pino";

import type { Metrics } from "../telemetry/metrics.ts";
import type { Tracer } from "../telemetry/traces/tracer.ts";
import type { Middleware, RestContext } from "./state.ts";

/** The watchers of requests: a counter and a tracer. Null: there is none. */
export interface RequestWatchers {
  noteRequest: Metrics["noteRequest"] | null;
  traceRequest: Tracer["traceRequest"] | null;
}

/** Clients can send any method. Each would be a value of a label, so others are counted together. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Runs around all other steps. The time ends when the answer is ready, so a subscription does not count as slow. */
export function observeRequests(
  router: Router<RestContext["state"]>,
  { noteRequest, traceRequest }: RequestWatchers,
): Middleware {
  return async (ctx, next) => {
    const began = performance.now();
    const pattern = router.match(ctx.path, ctx.method).path.at(-1)?.path;
    const method = METHODS.has(ctx.method) ? ctx.method : "other";
    if (traceRequest === null) await next();
    else {
      const route = String(pattern ?? "*");
      const describe = () => ({
        attributes: {
          "http.request.method": method,
          "http.route": route,
          "http.response.status_code": ctx.status,
          "tributary.request_id": ctx.state.requestId,
        },
        hasFailed: ctx.status >= 500,
      });
      await traceRequest({ name: `${method} ${route}`, traceparent: ctx.get("traceparent"), describe }, next);
    }
    const route = String(pattern ?? (ctx.status === 200 ? "ui" : "none"));
    noteRequest?.({ method, route, status: ctx.status, seconds: (performance.now() - began) / 1_000 });
  };
}

/** Logs one line for each request. Headers and queries are not logged, because they contain tokens and search terms. */
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
