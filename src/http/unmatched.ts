/** Answers requests that match no route. */
import type { RouterContext } from "@koa/router";

import { excerpt } from "../characters.ts";
import { AppError, badField } from "../errors.ts";
import { decodePercent } from "../characters.ts";
import type { Check, Middleware } from "./state.ts";

/** Refuses a path that cannot be decoded. Node accepts it, and the router would use it undecoded. */
export const refuseMalformedPaths: Check = (ctx) => {
  if (decodePercent(ctx.path) === null) throw badField("path", "is not percent-encoded UTF-8");
};

/** Answers 405 if the path is known (RFC 9110, 15.5.6; also for `OPTIONS`), else 404. */
export const refuseUnmatched: Middleware = (ctx) => {
  const { matched = [] } = ctx as Partial<RouterContext>;
  if (matched.length === 0) throw new AppError("not_found", `There is nothing at ${excerpt(ctx.path)}.`);
  const allow = [...new Set(matched.flatMap((layer) => layer.methods))].toSorted().join(", ");
  ctx.set("Allow", allow);
  throw new AppError("method_not_allowed", `${ctx.method} is not allowed at ${excerpt(ctx.path)}, only ${allow}.`);
};
