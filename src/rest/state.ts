/** What a request gathers on its way: Koa's context with our state. */
import type { Context, Middleware as KoaMiddleware, ParameterizedContext } from "koa";

import type { RequestScope } from "../graphql/context.ts";

export type RestContext = ParameterizedContext<RequestScope, Context>;
export type Middleware = KoaMiddleware<RequestScope>;
