/**
 * Writes a body that is one large document to a temporary file, so that it is not in memory. The file is always
 * deleted.
 */
import { createWriteStream } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

import { AppError, badField, unavailable } from "../errors.ts";
import { callerOf } from "../graphql/context.ts";
import { createFairQueue, type FairQueue } from "../work/fair-queue.ts";
import { hasBody, isOfType } from "./body.ts";
import type { RestContext } from "./state.ts";

/** The limit for a body after decompression. */
const MAX_UPLOAD_BYTES = 64 * 1024 ** 2;

/** Eight files at the same time, so that they take at most half a gigabyte of the disk. */
const PLACES = { atOnce: 8, atOnceForOne: 2, maxWaiting: 8, maxWaitMs: 30_000 };

export interface Uploads {
  /**
   * Calls the work with the path of a file that contains the decompressed body. Deletes the file when the work ends or
   * fails.
   * @param name the name of the body in errors
   * @throws AppError `unsupported_media_type`, `payload_too_large`, or `bad_request` if it cannot be read
   */
  receive<T>(ctx: RestContext, name: string, work: (path: string) => Promise<T>): Promise<T>;
}

export function createUploads(places: Pick<FairQueue, "run"> = createFairQueue(PLACES)): Uploads {
  return {
    async receive(ctx, name, work) {
      const isPacked = checkType(ctx);
      if (!hasBody(ctx)) throw badField(name, "is required: it is the body");
      if (Number(ctx.get("Content-Length")) > MAX_UPLOAD_BYTES) throw tooLarge();
      const caller = callerOf(ctx.state);
      return places.run(caller, async () => {
        await using folder = await mkdtempDisposable(join(tmpdir(), "tributary-upload-"));
        const path = join(folder.path, `${name}.json`);
        await spool(ctx.req, path, { isPacked, signal: caller.signal });
        return await work(path);
      });
    },
  };
}

/** @returns whether the body is compressed */
function checkType(ctx: RestContext): boolean {
  const encoding = (ctx.get("Content-Encoding") || "identity").toLowerCase();
  const isKnown = ["identity", "gzip", "x-gzip"].includes(encoding);
  if (isOfType(ctx, "application/json") && isKnown) return encoding !== "identity";
  throw new AppError(
    "unsupported_media_type",
    "This body must be application/json, in UTF-8, and may be compressed by gzip alone.",
  );
}

async function spool(
  request: IncomingMessage,
  path: string,
  { isPacked, signal }: { isPacked: boolean; signal: AbortSignal },
): Promise<void> {
  // Destroying the request would close the connection before the answer is sent. Destroying this stream does not.
  const body = new PassThrough();
  const breakOff = (error?: Error): void => {
    // The event also comes after a complete body.
    if (!request.complete) body.destroy(error ?? new Error("the connection closed"));
  };
  request.once("error", breakOff).once("close", breakOff).pipe(body);
  const file = createWriteStream(path, { mode: 0o600 });
  try {
    if (isPacked) await pipeline(body, bounded, createGunzip(), bounded, file, { signal });
    else await pipeline(body, bounded, file, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw toRefusal(error);
  } finally {
    // The rest of the body is read and dropped, because the next request of the connection comes after it.
    request.off("error", breakOff).off("close", breakOff).unpipe(body);
    request.resume();
  }
}

async function* bounded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_UPLOAD_BYTES) throw tooLarge();
    yield chunk;
  }
}

function toRefusal(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const code = "code" in error ? String(error.code) : "";
  if (code.startsWith("Z_")) return new AppError("bad_request", "The body is not well-formed gzip.", { cause: error });
  // Errors of the file have `syscall`. All others come from the connection.
  if ("syscall" in error && code !== "ECONNRESET") return unavailable("The body could not be stored.", error);
  return new AppError("bad_request", "The connection ended before the body did.", { cause: error });
}

function tooLarge(): AppError {
  return new AppError("payload_too_large", `This body may have at most ${MAX_UPLOAD_BYTES} bytes after decompression.`);
}
