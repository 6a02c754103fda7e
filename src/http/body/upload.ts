/**
 * Receives a body that is one large document. It stays in memory, compressed if it came so, until the request is answered.
 */
import type { IncomingMessage } from "node:http";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

import type { SourceFile } from "../../connectors/source-file.ts";
import { AppError, badField } from "../../errors.ts";
import { callerOf, getPrincipal } from "../../graphql/context.ts";
import { createFairQueue, type FairQueueOptions } from "../../work/fair-queue.ts";
import { createSlicer } from "../../work/slicer.ts";
import { hasBody, isOfType } from "./body.ts";
import { type BodyMemoryLimits, type BodyRoom, createBodyMemory } from "./body-memory.ts";
import { type Form, readForm, toForm } from "./form.ts";
import { HeldBytes } from "./held-bytes.ts";
import type { RestContext } from "../state.ts";

interface UploadLimits {
  /** The limit for a body, both as it comes and after decompression. */
  maxBytes: number;
  memory: BodyMemoryLimits;
  /** For the work on complete bodies. Default: it has limits of its own. */
  work?: FairQueueOptions;
}

/** Which limits apply. */
export type UploadKind = "manifest" | "events" | "proposals";

const MIB = 1024 ** 2;

/** Manifests. Their comparison with the catalog has a queue of its own (`what-if/what-if.ts`). */
export const MANIFESTS: UploadLimits = {
  maxBytes: 64 * MIB,
  memory: { all: 256 * MIB, ofOne: 128 * MIB },
};

/** Lineage events. The workers of one scheduler send many at the same time. */
export const EVENTS: UploadLimits = {
  maxBytes: 10 * MIB,
  memory: { all: 160 * MIB, ofOne: 80 * MIB },
  work: { atOnce: 16, atOnceForOne: 8, byAccount: true, maxWaiting: 200, maxWaitMs: 30_000 },
};

/** What clients of DataHub send: at most 16 MB, by fifteen threads at the same time. */
export const PROPOSALS: UploadLimits = { ...EVENTS, maxBytes: 16 * MIB, memory: { all: 256 * MIB, ofOne: 160 * MIB } };

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

export function createUploads({ maxBytes, memory: memoryLimits, work: queueOptions }: UploadLimits): Uploads {
  const memory = createBodyMemory(memoryLimits);
  const queue = queueOptions && createFairQueue(queueOptions);

  /**
   * Receives the body, then waits for a slot and calls the work. A body that is still arriving takes no slot.
   * @param read reads the unpacked body while it arrives
   */
  async function holdWhile<R, T>(
    ctx: RestContext,
    { isPacked, read }: Pick<Holding<R>, "isPacked" | "read">,
    work: (body: SourceFile, found: R) => Promise<T>,
  ): Promise<T> {
    if (Number(ctx.get("Content-Length")) > maxBytes) throw tooLarge(maxBytes);
    const caller = callerOf(ctx.state);
    const { workspace, actor } = getPrincipal(ctx.state);
    const room = memory.open({ account: actor.id, workspace: workspace.id, giveUp: ctx.state.giveUp });
    try {
      const { body, found } = await hold(ctx.req, { isPacked, maxBytes, signal: caller.signal, room, read });
      const begin = () => work(body, found);
      return await (queue === undefined ? begin() : queue.run(caller, begin));
    } finally {
      room.release();
    }
  }

  return {
    async receive(ctx, name, work) {
      const isPacked = checkType(ctx, "application/json");
      if (!hasBody(ctx)) throw badField(name, "is required: it is the body");
      return holdWhile(ctx, { isPacked, read: readToTheEnd }, work);
    },
    async receiveForm(ctx, work) {
      const type = ctx.get("Content-Type");
      const isPacked = checkType(ctx, "multipart/form-data");
      const pace = createSlicer({ next: () => ctx.state.nextTurn() }, callerOf(ctx.state));
      return holdWhile(ctx, { isPacked, read: (chunks) => readForm(chunks, type, pace) }, (body, parts) =>
        work(toForm(body, type, parts)),
      );
    },
  };
}

async function readToTheEnd(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of chunks);
}

/** @returns whether the body is compressed */
function checkType(ctx: RestContext, type: string): boolean {
  const encoding = (ctx.get("Content-Encoding") || "identity").toLowerCase();
  const isKnown = ["identity", "gzip", "x-gzip"].includes(encoding);
  if (isOfType(ctx, type) && isKnown) return encoding !== "identity";
  throw new AppError(
    "unsupported_media_type",
    `This body must be ${type}, in UTF-8, and may be compressed by gzip alone.`,
  );
}

interface Holding<R> {
  isPacked: boolean;
  maxBytes: number;
  signal: AbortSignal;
  room: BodyRoom;
  read: (chunks: AsyncGenerator<Buffer>) => Promise<R>;
}

/** Receives the whole body. A compressed body stays compressed, because manifests shrink to a fifth, and is unpacked at each reading. */
async function hold<R>(
  request: IncomingMessage,
  { isPacked, maxBytes, signal, room, read }: Holding<R>,
): Promise<{ body: SourceFile; found: R }> {
  // Destroying the request would close the connection before the answer is sent. Destroying this stream does not.
  const body = new PassThrough();
  const breakOff = (error?: Error): void => {
    // The event also comes after a complete body.
    if (!request.complete) body.destroy(error ?? new Error("the connection closed"));
  };
  request.once("error", breakOff).once("close", breakOff).pipe(body);
  const held = new HeldBytes(maxBytes, (bytes) => room.grow(bytes));
  async function* keep(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      if (!held.add(chunk)) throw tooLarge(maxBytes);
      yield chunk;
    }
  }
  let unpacked = 0;
  async function* count(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      unpacked += chunk.length;
      if (unpacked > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  }
  const readCounted = (chunks: AsyncIterable<Buffer>): Promise<R> => read(count(chunks));
  try {
    const found = isPacked
      ? await pipeline(body, keep, createGunzip(), readCounted, { signal })
      : await pipeline(body, keep, readCounted, { signal });
    return { body: toFile(held, isPacked, unpacked), found };
  } catch (error) {
    signal.throwIfAborted();
    throw toRefusal(error);
  } finally {
    // The rest of the body is read and dropped, because the next request of the connection comes after it.
    request.off("error", breakOff).off("close", breakOff).unpipe(body);
    request.resume();
  }
}

function toFile(held: HeldBytes, isPacked: boolean, bytes: number): SourceFile {
  return {
    name: "the body of the request",
    bytes,
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
