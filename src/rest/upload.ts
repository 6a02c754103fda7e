/**
 * Receives a body that is one large document. It stays in memory, as small as it came, until the request is answered.
 */
import type { IncomingMessage } from "node:http";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

import type { SourceFile } from "../connectors/source-file.ts";
import { AppError, badField } from "../errors.ts";
import { callerOf } from "../graphql/context.ts";
import { createFairQueue, type FairQueueOptions } from "../work/fair-queue.ts";
import { hasBody, isOfType } from "./body.ts";
import { type Form, readForm } from "./form.ts";
import { HeldBytes } from "./held-bytes.ts";
import type { RestContext } from "./state.ts";

interface UploadLimits {
  /** Of a body, both as it comes and after decompression. */
  maxBytes: number;
  places: FairQueueOptions;
}

/** Four bodies at the same time, so that they take at most 256 MiB. A second one of the same key waits. */
export const MANIFESTS: UploadLimits = {
  maxBytes: 64 * 1024 ** 2,
  places: { atOnce: 4, atOnceForOne: 1, maxWaiting: 8, maxWaitMs: 60_000 },
};

/** Lineage events come many at once from the workers of one scheduler. */
export const EVENTS: UploadLimits = {
  maxBytes: 10 * 1024 ** 2,
  places: { atOnce: 16, atOnceForOne: 8, maxWaiting: 200, maxWaitMs: 30_000 },
};

export interface Uploads {
  /**
   * Calls the work with the decompressed body, which is dropped when the work ends or fails.
   * @param name the name of the body in errors
   * @throws AppError `unsupported_media_type`, `payload_too_large`, or `bad_request` if it cannot be read
   */
  receive<T>(ctx: RestContext, name: string, work: (file: SourceFile) => Promise<T>): Promise<T>;
  /**
   * The same for a body that is a form with a file in it.
   * @throws AppError as `receive` does
   */
  receiveForm<T>(ctx: RestContext, work: (form: Form) => Promise<T>): Promise<T>;
}

export function createUploads({ maxBytes, places: options }: UploadLimits): Uploads {
  const places = createFairQueue(options);
  const holdWhile = <T>(ctx: RestContext, isPacked: boolean, work: (file: SourceFile) => Promise<T>): Promise<T> => {
    if (Number(ctx.get("Content-Length")) > maxBytes) throw tooLarge(maxBytes);
    const caller = callerOf(ctx.state);
    return places.run(caller, async () => work(await hold(ctx.req, { isPacked, maxBytes, signal: caller.signal })));
  };
  return {
    async receive(ctx, name, work) {
      const isPacked = checkType(ctx);
      if (!hasBody(ctx)) throw badField(name, "is required: it is the body");
      return holdWhile(ctx, isPacked, work);
    },
    receiveForm: async (ctx, work) =>
      holdWhile(ctx, false, async (body) => work(await readForm(body, ctx.get("Content-Type")))),
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

/** Reads the whole body. One that is compressed is kept so, because manifests shrink to a fifth, and unpacked at each reading. */
async function hold(
  request: IncomingMessage,
  { isPacked, maxBytes, signal }: { isPacked: boolean; maxBytes: number; signal: AbortSignal },
): Promise<SourceFile> {
  // Destroying the request would close the connection before the answer is sent. Destroying this stream does not.
  const body = new PassThrough();
  const breakOff = (error?: Error): void => {
    // The event also comes after a complete body.
    if (!request.complete) body.destroy(error ?? new Error("the connection closed"));
  };
  request.once("error", breakOff).once("close", breakOff).pipe(body);
  const held = new HeldBytes(maxBytes);
  async function* keep(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      if (!held.add(chunk)) throw tooLarge(maxBytes);
      if (isPacked) yield chunk;
    }
  }
  let unpacked = 0;
  const count = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of chunks) {
      unpacked += chunk.length;
      if (unpacked > maxBytes) throw tooLarge(maxBytes);
    }
  };
  try {
    if (isPacked) await pipeline(body, keep, createGunzip(), count, { signal });
    else await pipeline(body, keep, count, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw toRefusal(error);
  } finally {
    // The rest of the body is read and dropped, because the next request of the connection comes after it.
    request.off("error", breakOff).off("close", breakOff).unpipe(body);
    request.resume();
  }
  return {
    name: "the body of the request",
    bytes: isPacked ? unpacked : held.size,
    open: () => (isPacked ? Readable.from(held).pipe(createGunzip()) : Readable.from(held)),
  };
}

function toRefusal(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const code = "code" in error ? String(error.code) : "";
  if (code.startsWith("Z_")) return new AppError("bad_request", "The body is not well-formed gzip.", { cause: error });
  return new AppError("bad_request", "The connection ended before the body did.", { cause: error });
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("payload_too_large", `This body may have at most ${maxBytes} bytes after decompression.`);
}
