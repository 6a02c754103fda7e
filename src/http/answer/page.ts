/** Serves documents that are the same for everybody. Each is made once, and browsers cache it. */
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

import type { Middleware } from "../state.ts";

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
