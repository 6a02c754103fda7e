/** GraphiQL's page at `GET /graphql`, and its two files. */
import type { RandomBytes } from "../clock.ts";
import type { GraphiqlPage } from "../graphql/graphiql/page.ts";
import type { GraphqlHandler } from "../graphql/yoga.ts";
import { answerPage } from "./page.ts";
import type { Middleware } from "./state.ts";

export const GRAPHIQL_FILES = { script: "/graphql/graphiql.js", style: "/graphql/graphiql.css" } as const;

/** Permits what has the nonce of this answer, and what that makes: workers from blobs, fonts and pictures in its style. */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src data:",
    "worker-src blob: data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const NONCE_BYTES = 16;

/** Makes the page when it is first asked for. */
export function answerGraphiql(
  { graphiql }: Pick<GraphqlHandler, "graphiql">,
  random: RandomBytes,
): Readonly<Record<"html" | "script" | "style", Middleware>> {
  let made: GraphiqlPage | undefined;
  const page = (): GraphiqlPage => (made ??= graphiql(GRAPHIQL_FILES));
  return {
    html: (ctx) => {
      const nonce = random(NONCE_BYTES).toString("base64url");
      ctx.set({ "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policyOf(nonce) });
      ctx.body = page().toHtml(nonce);
    },
    script: answerPage(() => page().script, { "Content-Type": "text/javascript; charset=utf-8" }),
    style: answerPage(() => page().style, { "Content-Type": "text/css; charset=utf-8" }),
  };
}
