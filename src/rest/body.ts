/** Reads a request's body as text, and no more of it than allowed. */
import type { IncomingMessage } from "node:http";
import { MIMEType } from "node:util";

import { AppError } from "../errors.ts";
import type { RestContext } from "./state.ts";

const MAX_BODY_BYTES = 1024 * 1024;

export function hasBody({ req }: RestContext): boolean {
  return announcedBytes(req) > 0 || req.headers["transfer-encoding"] !== undefined;
}

/** Whether all of a request is there, before anybody has read of its body. */
export function isWhole({ req }: RestContext): boolean {
  // What came with the head is there before the parser says that it was all; how long a chunked body is, it alone knows.
  return req.complete || (req.headers["transfer-encoding"] === undefined && req.readableLength >= announcedBytes(req));
}

/** Whether the body is said to be of this media type, in UTF-8 and not compressed. */
export function isPlain(ctx: RestContext, mediaType: string): boolean {
  return isOfType(ctx, mediaType) && (ctx.get("Content-Encoding") || "identity").toLowerCase() === "identity";
}

/** Whether the body is said to be of this media type, in UTF-8. */
export function isOfType(ctx: RestContext, mediaType: string): boolean {
  try {
    // White space may stand around each parameter (RFC 9110, 5.6.6), which Koa's own reading of the header does not know.
    const { essence, params } = new MIMEType(ctx.get("Content-Type"));
    return essence === mediaType && /^(utf-8)?$/i.test(params.get("charset") ?? "");
  } catch {
    return false;
  }
}

/** @throws AppError `payload_too_large`, or `bad_request` where it is not UTF-8 or breaks off */
export async function readBodyText({ req, state }: RestContext): Promise<string> {
  if (announcedBytes(req) > MAX_BODY_BYTES) throw tooLarge();
  const bytes = await readBytes(req);
  // What comes now, up to the answer or the first look-up, is done in one go.
  if (state.principal !== null) await state.nextTurn();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError("bad_request", "The body is not UTF-8.", { cause: error });
  }
}

function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers["content-length"] ?? 0);
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // A stream that is destroyed would take the connection, and the answer, with it.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("bad_request", "The connection ended before the body did.", { cause: error });
  }
  return Buffer.concat(chunks, size);
}

function tooLarge(): AppError {
  return new AppError("payload_too_large", `A body may have at most ${MAX_BODY_BYTES} bytes.`);
}
