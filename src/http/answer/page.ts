/** Serves documents that are the same for everybody. Each is made once, and browsers cache it. */
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { Middleware, RestContext } from "../state.ts";
import type { RandomBytes } from "../../clock.ts";

/** A page, and the files that it loads. */
export interface PageWithFiles {
  html: Middleware;
  files: readonly { path: string; answer: Middleware }[];
}

interface Encoded {
  plain: Buffer;
  gzipped: Buffer | null;
  brotli: Buffer | null;
  etag: string;
}

type Produce = () => string | Promise<string>;

export function toEtag(plain: Buffer): string {
  return `W/"${hash("sha256", plain, "base64url")}"`;
}

async function render(produce: Produce): Promise<Encoded> {
  const plain = Buffer.from(await produce());
  return { plain, gzipped: await promisify(gzip)(plain), brotli: null, etag: toEtag(plain) };
}

/** Sends a document in the best encoding that the client accepts, unless the client has it already. */
export function sendEncoded(
  ctx: RestContext,
  { plain, gzipped, brotli, etag }: Encoded,
  headers: Record<string, string>,
): void {
  ctx.set({ Vary: "Accept-Encoding", ETag: etag, ...headers });
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  const encodings = { br: brotli, gzip: gzipped, identity: plain };
  const offered = (["br", "gzip", "identity"] as const).filter((name) => encodings[name] !== null);
  const accepted = ctx.acceptsEncodings(...offered);
  const chosen = offered.find((name) => name === accepted) ?? "identity";
  if (chosen !== "identity") ctx.set("Content-Encoding", chosen);
  ctx.body = encodings[chosen];
}

/**
 * @param produce makes the document. Called once.
 * @param headers its `Content-Type`, and its `Content-Security-Policy` if it differs from the usual one
 */
export function answerPage(produce: Produce, headers: Record<string, string>): Middleware {
  let rendered: Promise<Encoded> | undefined;
  return async (ctx) =>
    sendEncoded(ctx, await (rendered ??= render(produce)), { "Cache-Control": "no-cache", ...headers });
}

export const SCRIPT_TYPE = { "Content-Type": "text/javascript; charset=utf-8" };
export const STYLE_TYPE = { "Content-Type": "text/css; charset=utf-8" };

const NONCE_BYTES = 16;

interface NoncePage {
  toHtml: (nonce: string) => string;
  /** What the page may load besides scripts and styles. */
  sources: readonly string[];
  random: RandomBytes;
}

/** Answers an HTML page with a new nonce for each answer. Only scripts and styles with the nonce run. */
export function answerNoncePage({ toHtml, sources, random }: NoncePage): Middleware {
  return (ctx) => {
    const nonce = random(NONCE_BYTES).toString("base64url");
    const policy = [
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      `style-src 'nonce-${nonce}'`,
      ...sources,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join("; ");
    ctx.set({ "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy });
    ctx.body = toHtml(nonce);
  };
}

const TOKENS = new URL("../../ui/theme/tokens.css", import.meta.url);

/** The product's colours and font, with the font in the sheet itself, for pages that others made. */
export function printBrand(): string {
  return readFileSync(TOKENS, "utf8").replaceAll(/url\("(@fontsource[^"]+)"\)/g, (_, name: string) => {
    const font = readFileSync(fileURLToPath(import.meta.resolve(name)));
    return `url("data:font/woff2;base64,${font.toString("base64")}")`;
  });
}
