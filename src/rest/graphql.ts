/** `POST /graphql`, handed to the GraphQL server. Its errors are GraphQL's own once the request is let in. */
import { AppError } from "../errors.ts";
import type { GraphqlHandler } from "../graphql/yoga.ts";
import { readJsonText } from "./json-body.ts";
import type { Middleware } from "./state.ts";

export const GRAPHQL_PATH = "/graphql";

/** What GraphiQL needs: it is one page with its scripts, styles and fonts inside, and workers made from them. */
export const GRAPHIQL_POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' blob:",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "font-src data:",
  "worker-src blob: data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** The types of answers, the first where any will do; a client that takes neither gets that one all the same. */
const RESPONSE_TYPES = ["application/json", "application/graphql-response+json"];

/** The page is for browsers: who asks for anything but HTML has a query in mind, and queries come by POST. */
export const refuseQueriesByGet: Middleware = (ctx, next) => {
  if (ctx.accepts("html")) return next();
  ctx.set("Allow", "POST");
  throw new AppError("method_not_allowed", `${ctx.method} is not allowed for queries, only POST.`);
};

export function answerGraphql(handler: GraphqlHandler): Middleware {
  return async (ctx) => {
    const body = await readJsonText(ctx);
    const headers = { "Content-Type": "application/json", Accept: ctx.accepts(RESPONSE_TYPES) || "application/json" };
    const request = new Request(new URL(GRAPHQL_PATH, "http://localhost"), { method: "POST", headers, body });
    const response = await handler.handle(request, ctx.state);
    ctx.status = response.status;
    ctx.set(Object.fromEntries(response.headers));
    ctx.body = await response.text();
  };
}
