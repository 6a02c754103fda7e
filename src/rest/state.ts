/** What a request gathers on its way: Koa's context with our state. */
import type { Context, Middleware as KoaMiddleware, ParameterizedContext } from "koa";

import type { RequestScope } from "../graphql/context.ts";

interface RestState extends RequestScope {
  /** Whether all of the request had come, its body too, when its token was looked up. */
  wasWhole: boolean;
}

export type RestContext = ParameterizedContext<RestState, Context>;
export type Middleware = KoaMiddleware<RestState>;

/** A step that lets a request pass, or throws. */
export type Check = (ctx: RestContext) => void | Promise<void>;
