/** Reads a request's body as text, up to a limit. */
import type { IncomingMessage } from "node:http";
import { MIMEType } from "node:util";

import { AppError } from "../../errors.ts";
import type { RestContext } from "../state.ts";

const MAX_BODY_BYTES = 1024 * 1024;

export function hasBody({ req }: RestContext): boolean {
  return announcedBytes(req) > 0 || req.headers["transfer-encoding"] !== undefined;
}

/** Whether the whole request has arrived. Call it before the body is read. */
export function isWhole({ req }: RestContext): boolean {
  // A body that arrived with the headers is in the buffer before the parser reports its end. For a chunked body, only
  // the parser knows the length.
  return req.complete || (req.headers["transfer-encoding"] === undefined && req.readableLength >= announcedBytes(req));
}

/** Whether the headers declare this media type, in UTF-8 and not compressed. */
export function isPlain(ctx: RestContext, mediaType: string): boolean {
  return isOfType(ctx, mediaType) && (ctx.get("Content-Encoding") || "identity").toLowerCase() === "identity";
}

/** Whether the headers declare this media type, in UTF-8. */
export function isOfType(ctx: RestContext, mediaType: string): boolean {
  try {
    // There may be white space around each parameter (RFC 9110, 5.6.6), which Koa's parser does not accept.
    const { essence, params } = new MIMEType(ctx.get("Content-Type"));
    return essence === mediaType && /^(utf-8)?$/i.test(params.get("charset") ?? "");
  } catch {
    return false;
  }
}

/** @throws AppError `payload_too_large`, or `bad_request` if the body is not UTF-8 or incomplete */
export async function readBodyText({ req, state }: RestContext): Promise<string> {
  if (announcedBytes(req) > MAX_BODY_BYTES) throw tooLarge();
  const bytes = await readBytes(req);
  // The work from here to the first query or the answer is one slice.
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
    // Destroying the stream would close the connection before the answer is sent.
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
