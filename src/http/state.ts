/** The state of a request in Koa's context. */
import type { Context, Middleware as KoaMiddleware, ParameterizedContext } from "koa";

import type { RequestScope } from "../graphql/context.ts";

interface RestState extends RequestScope {
  /** Whether the whole request, including its body, had arrived when its token was looked up. */
  wasWhole: boolean;
}

export type RestContext = ParameterizedContext<RestState, Context>;
export type Middleware = KoaMiddleware<RestState>;

/** A check that throws if the request must be refused. */
export type Check = (ctx: RestContext) => void | Promise<void>;
