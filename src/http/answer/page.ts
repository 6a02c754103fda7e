/** Serves documents that are the same for everybody. Each is made once, and browsers cache it. */
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { Middleware } from "../state.ts";
import type { RandomBytes } from "../../clock.ts";

/** A page, and the files that it loads. */
export interface PageWithFiles {
  html: Middleware;
  files: readonly { path: string; answer: Middleware }[];
}

interface Rendered {
  plain: Buffer;
  gzipped: Buffer;
  etag: string;
}

type Produce = () => string | Promise<string>;

async function render(produce: Produce): Promise<Rendered> {
  const plain = Buffer.from(await produce());
  return { plain, gzipped: await promisify(gzip)(plain), etag: `W/"${hash("sha256", plain, "base64url")}"` };
}

/**
 * @param produce makes the document. Called once.
 * @param headers its `Content-Type`, and its `Content-Security-Policy` if it differs from the usual one
 */
export function answerPage(produce: Produce, headers: Record<string, string>): Middleware {
  let rendered: Promise<Rendered> | undefined;
  return async (ctx) => {
    const { plain, gzipped, etag } = await (rendered ??= render(produce));
    ctx.set({ "Cache-Control": "no-cache", Vary: "Accept-Encoding", ETag: etag, ...headers });
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    const zipped = ctx.acceptsEncodings("gzip", "identity") === "gzip";
    if (zipped) ctx.set("Content-Encoding", "gzip");
    ctx.body = zipped ? gzipped : plain;
  };
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
