/** What is answered where no route takes a request. */
import type { RouterContext } from "@koa/router";

import { excerpt } from "../characters.ts";
import { AppError, badField } from "../errors.ts";
import { decodePercent } from "./query-string.ts";
import type { Check, Middleware } from "./state.ts";

/** Refuses what Node lets pass: the router would take a path that cannot be decoded as it stands. */
export const refuseMalformedPaths: Check = (ctx) => {
  if (decodePercent(ctx.path) === null) throw badField("path", "is not percent-encoded UTF-8");
};

/** 405 where the path is known (RFC 9110, 15.5.6; `OPTIONS` is no exception), else 404. */
export const refuseUnmatched: Middleware = (ctx) => {
  const { matched = [] } = ctx as Partial<RouterContext>;
  if (matched.length === 0) throw new AppError("not_found", `There is nothing at ${excerpt(ctx.path)}.`);
  const allow = [...new Set(matched.flatMap((layer) => layer.methods))].toSorted().join(", ");
  ctx.set("Allow", allow);
  throw new AppError("method_not_allowed", `${ctx.method} is not allowed at ${excerpt(ctx.path)}, only ${allow}.`);
};
