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
import { createFairQueue, type FairQueueOptions } from "../work/fair-queue.ts";
import { hasBody, isOfType } from "./body.ts";
import type { RestContext } from "./state.ts";

interface UploadLimits {
  /** Of a body after decompression. */
  maxBytes: number;
  places: FairQueueOptions;
}

/** Eight files at the same time, so that they take at most half a gigabyte of the disk. */
export const MANIFESTS: UploadLimits = {
  maxBytes: 64 * 1024 ** 2,
  places: { atOnce: 8, atOnceForOne: 2, maxWaiting: 8, maxWaitMs: 30_000 },
};

/** Lineage events come many at once from the workers of one scheduler. Each of these bodies is also read into memory. */
export const EVENTS: UploadLimits = {
  maxBytes: 10 * 1024 ** 2,
  places: { atOnce: 16, atOnceForOne: 8, maxWaiting: 200, maxWaitMs: 30_000 },
};

export interface Uploads {
  /**
   * Calls the work with the path of a file that contains the decompressed body. Deletes the file when the work ends or
   * fails.
   * @param name the name of the body in errors
   * @throws AppError `unsupported_media_type`, `payload_too_large`, or `bad_request` if it cannot be read
   */
  receive<T>(ctx: RestContext, name: string, work: (path: string) => Promise<T>): Promise<T>;
}

export function createUploads({ maxBytes, places: options }: UploadLimits): Uploads {
  const places = createFairQueue(options);
  return {
    async receive(ctx, name, work) {
      const isPacked = checkType(ctx);
      if (!hasBody(ctx)) throw badField(name, "is required: it is the body");
      if (Number(ctx.get("Content-Length")) > maxBytes) throw tooLarge(maxBytes);
      const caller = callerOf(ctx.state);
      return places.run(caller, async () => {
        await using folder = await mkdtempDisposable(join(tmpdir(), "tributary-upload-"));
        const path = join(folder.path, `${name}.json`);
        await spool(ctx.req, path, { isPacked, maxBytes, signal: caller.signal });
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
  { isPacked, maxBytes, signal }: { isPacked: boolean; maxBytes: number; signal: AbortSignal },
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
    if (isPacked) await pipeline(body, bounded(maxBytes), createGunzip(), bounded(maxBytes), file, { signal });
    else await pipeline(body, bounded(maxBytes), file, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw toRefusal(error);
  } finally {
    // The rest of the body is read and dropped, because the next request of the connection comes after it.
    request.off("error", breakOff).off("close", breakOff).unpipe(body);
    request.resume();
  }
}

function bounded(maxBytes: number): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* passOn(chunks) {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  };
}

function toRefusal(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const code = "code" in error ? String(error.code) : "";
  if (code.startsWith("Z_")) return new AppError("bad_request", "The body is not well-formed gzip.", { cause: error });
  // Errors of the file have `syscall`. All others come from the connection.
  if ("syscall" in error && code !== "ECONNRESET") return unavailable("The body could not be stored.", error);
  return new AppError("bad_request", "The connection ended before the body did.", { cause: error });
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("payload_too_large", `This body may have at most ${maxBytes} bytes after decompression.`);
}
