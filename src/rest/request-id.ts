/** Every answer names its request, so that a caller's report finds its lines in the log. */
import { randomUUID } from "node:crypto";

import type { Middleware } from "./state.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Echoes an `X-Request-Id` that is a UUID, and answers a fresh one in the place of anything else. */
export const assignRequestId: Middleware = (ctx, next) => {
  const given = ctx.get("X-Request-Id");
  const requestId = UUID.test(given) ? given : randomUUID();
  ctx.state = { principal: null, requestId, source: ctx.req.socket.remoteAddress ?? "" };
  ctx.set("X-Request-Id", requestId);
  return next();
};
