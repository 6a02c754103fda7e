/** `POST /graphql`, handed to the GraphQL server. Its errors are GraphQL's own once the request is let in. */
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

export function answerGraphql(handler: GraphqlHandler): Middleware {
  return async (ctx) => {
    const body = await readJsonText(ctx);
    const headers = { "Content-Type": "application/json", Accept: ctx.get("Accept") || "*/*" };
    const request = new Request(new URL(GRAPHQL_PATH, "http://localhost"), { method: "POST", headers, body });
    const response = await handler.handle(request, ctx.state);
    ctx.status = response.status;
    ctx.set(Object.fromEntries(response.headers));
    ctx.body = await response.text();
  };
}
