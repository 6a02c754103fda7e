/** What a request gathers on its way: Koa's context with our state. */
import type { Middleware as KoaMiddleware } from "koa";
import type { Context as KoaContext, ParameterizedContext } from "koa";

import type { RequestScope } from "../graphql/context.ts";

export type RestContext = ParameterizedContext<RequestScope, KoaContext>;
export type Middleware = KoaMiddleware<RequestScope>;
