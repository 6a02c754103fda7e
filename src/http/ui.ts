/** Serves the workspace UI: its files by their paths, and its one HTML page at every path that nothing else answers. */
import type { RouterContext } from "@koa/router";

import { sendEncoded, toEtag } from "./answer/page.ts";
import type { BuiltFile, BuiltFiles } from "../ui-build/built-files.ts";
import type { Middleware, RestContext } from "./state.ts";

/** Resolves when the UI is built, to null if that failed. Requests for its pages wait for it. */
export type Ui = Promise<BuiltFiles | null>;

/** Its own files and the service's APIs, and nothing inline. */
const UI_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const A_YEAR_SECONDS = 31_536_000;
const PAGE = "/index.html";
/** Under these paths there are no pages, whatever a client accepts: a wrong path is an error there. */
const NO_PAGES = /^\/(?:\.well-known|api|auth|health|mcp|oauth|static)(?:\/|$)/;
const A_FILE = /\.[a-z\d]+$/;

/** Answers with the UI's page, whatever the path. */
export function answerUiPage(ui: Ui): Middleware {
  return async (ctx) => {
    const files = await ui;
    const page = files?.get(PAGE);
    if (page === undefined) sendFault(ctx);
    else sendFile(ctx, page);
  };
}

/**
 * Answers what no route does: the UI's files, and its pages. Only browsers ask for pages, because they prefer HTML to
 * JSON. Anything else goes on to the next step.
 */
export function answerUi(ui: Ui): Middleware {
  const answerPage = answerUiPage(ui);
  return async (ctx, next) => {
    const { matched = [] } = ctx as Partial<RouterContext>;
    if (matched.length > 0 || (ctx.method !== "GET" && ctx.method !== "HEAD")) return next();
    // No other request waits for a build.
    const file = A_FILE.test(ctx.path) ? (await ui)?.get(ctx.path) : undefined;
    if (file !== undefined) return sendFile(ctx, file);
    const isPage = !NO_PAGES.test(ctx.path) && ctx.accepts("json", "html") === "html";
    return isPage ? answerPage(ctx, next) : next();
  };
}

function sendFile(ctx: RestContext, { type, plain, gzipped, brotli, isHashed }: BuiltFile): void {
  sendEncoded(
    ctx,
    { plain, gzipped, brotli, etag: toEtag(plain) },
    {
      "Content-Type": type,
      "Content-Security-Policy": UI_POLICY,
      "Cache-Control": isHashed ? `public, max-age=${A_YEAR_SECONDS}, immutable` : "no-cache",
    },
  );
}

const FAULT = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Tributary</title></head>
  <body>
    <h1>The workspace could not be built</h1>
    <p>The log of the service says why. Restart the service to try again.</p>
    <p>The APIs work: see the <a href="/docs">REST API</a> and <a href="/graphql">GraphiQL</a>.</p>
  </body>
</html>
`;

function sendFault(ctx: RestContext): void {
  ctx.status = 503;
  ctx.set("Content-Type", "text/html; charset=utf-8");
  ctx.body = FAULT;
}
