/** Reads a request's body as JSON, and no more of it than allowed. */
import type { IncomingMessage } from "node:http";

import { AppError } from "../errors.ts";
import type { RestContext } from "./state.ts";

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * The parsed body, or undefined where there is none.
 * @throws AppError `bad_request` where it is no JSON, and what `readJsonText` throws
 */
export async function readJsonBody(ctx: RestContext): Promise<unknown> {
  const text = await readJsonText(ctx);
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError("bad_request", "The body is not well-formed JSON.", { cause: error });
  }
}

/**
 * The text of a body that is said to be JSON, or "" where there is none.
 * @throws AppError `unsupported_media_type`, `payload_too_large`, or `bad_request` where it is not UTF-8
 */
export async function readJsonText(ctx: RestContext): Promise<string> {
  const { headers } = ctx.req;
  const announced = Number(headers["content-length"] ?? 0);
  if (announced === 0 && headers["transfer-encoding"] === undefined) return "";
  requireJson(ctx);
  if (announced > MAX_BODY_BYTES) throw tooLarge();
  const bytes = await readBytes(ctx.req);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError("bad_request", "The body is not UTF-8.", { cause: error });
  }
}

function requireJson(ctx: RestContext): void {
  const { type, charset } = ctx.request;
  const isJson = type.toLowerCase() === "application/json" && /^(utf-8)?$/i.test(charset);
  if (isJson && /^(identity)?$/i.test(ctx.get("Content-Encoding"))) return;
  throw new AppError("unsupported_media_type", "A body must be application/json, in UTF-8 and not compressed.");
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
