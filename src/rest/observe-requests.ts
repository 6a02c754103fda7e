/** Notes each request for those who watch the service: its route's pattern, never its path. */
import type { Router } from "@koa/router";

import type { Middleware, RestContext } from "./state.ts";

interface AnsweredRequest {
  method: string;
  route: string;
  status: number;
  seconds: number;
}

export type NoteRequest = (request: AnsweredRequest) => void;

/** Others are possible, and would each be a value of a label. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Runs around all other steps. The time ends when the answer is ready, so a subscription does not count as slow. */
export function observeRequests(router: Router<RestContext["state"]>, note: NoteRequest): Middleware {
  return async (ctx, next) => {
    const began = performance.now();
    await next();
    const { path } = router.match(ctx.path, ctx.method);
    const route = String(path.at(-1)?.path ?? (ctx.status === 200 ? "ui" : "none"));
    const method = METHODS.has(ctx.method) ? ctx.method : "other";
    note({ method, route, status: ctx.status, seconds: (performance.now() - began) / 1_000 });
  };
}
