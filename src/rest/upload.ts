/** Takes a body that is one large document to a temporary file: none of it is kept in memory, and nothing is left behind. */
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

/** Of a body, unpacked. */
const MAX_UPLOAD_BYTES = 64 * 1024 ** 2;

/** So many files may be there at once, so that the disk holds half a gigabyte at most. */
const PLACES = { atOnce: 8, atOnceForOne: 2, maxWaiting: 8, maxWaitMs: 30_000 };

export interface Uploads {
  /**
   * Gives the work the path of a file that holds the body, unpacked. It is gone when the work ends, however that ends.
   * @param name what errors call the body
   * @throws AppError `unsupported_media_type`, `payload_too_large`, or `bad_request` where it cannot be read
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

/** @returns whether the body is packed */
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
  // A request that is destroyed would take the connection, and the answer, with it: what it is piped into may be.
  const body = new PassThrough();
  const breakOff = (error?: Error): void => {
    // It closes when it was received as well.
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
    // What is left of it is read and dropped: it would stand before the next request of the connection.
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
  // The file's own errors name the call that failed; what is left is the connection's.
  if ("syscall" in error && code !== "ECONNRESET") return unavailable("There is no room for the body.", error);
  return new AppError("bad_request", "The connection ended before the body did.", { cause: error });
}

function tooLarge(): AppError {
  return new AppError("payload_too_large", `This body may have at most ${MAX_UPLOAD_BYTES} bytes, unpacked.`);
}
