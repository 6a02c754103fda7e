/** Reads a large JSON object piece by piece, so that memory holds one piece and not the file. */
import { createReadStream } from "node:fs";

import { Assembler } from "stream-json/assembler.js";
import { jsonParser } from "stream-json/parser.js";
import type { Token } from "stream-json/parser.js";

import { failure, type Source, unreadableFile } from "./faults.ts";

/** One entry of one section: `nodes` / `model.shop.orders` / its value. Entries of an array have their index as key. */
export interface Member {
  section: string;
  key: string;
  value: unknown;
}

/** Whether an entry is worth building; what is not is only tokenised. */
export type Wanted = (section: string, key: string) => boolean;

export interface ReadOptions {
  signal: AbortSignal;
  /** Called after each chunk with its size. */
  onBytes?: (bytes: number) => void;
}

/** A chunk is tokenised in about a millisecond, which is as long as the event loop waits. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Yields the wanted entries of a JSON object's sections, in the file's order.
 * Strings in them are slices that keep their whole chunk alive: copy what is kept.
 * @throws CrawlFailure where the file cannot be read or is no complete JSON object in UTF-8
 */
export async function* readMembers(
  file: Source & { path: string },
  wanted: Wanted,
  { signal, onBytes }: ReadOptions,
): AsyncGenerator<Member> {
  const parse = jsonParser({ packValues: true, streamValues: false });
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const walk = new SectionWalk(wanted);
  try {
    const chunks: AsyncIterable<Buffer> = createReadStream(file.path, { signal, highWaterMark: CHUNK_BYTES });
    for await (const chunk of chunks) {
      const parsed = parse(decoder.decode(chunk, { stream: true }));
      if (typeof parsed !== "symbol") yield* walk.members(parsed.values);
      onBytes?.(chunk.length);
    }
  } catch (error) {
    if (signal.aborted) throw error;
    if (isSystemError(error)) throw unreadableFile(file, error);
    throw malformed(file, error instanceof Error ? error.message : String(error), error);
  }
  if (!walk.started) throw malformed(file, "the file is empty");
  if (!walk.ended) throw malformed(file, "it ends too early, as a file that was cut off does");
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

function malformed(source: Source, reason: string, cause?: unknown) {
  const why = `is not complete JSON: ${reason}`;
  return failure(source, { code: "malformed_json", stage: "parse", why }, cause);
}

/** Follows tokens two levels deep and assembles the entries that are wanted. */
class SectionWalk {
  started = false;
  ended = false;
  readonly #wanted: Wanted;
  readonly #assembler = new Assembler();
  #assembling = false;
  #depth = 0;
  #section = "";
  #key = "";
  /** The index of the next entry where the section is an array. */
  #index: number | null = null;

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
  }

  *members(tokens: readonly Token[]): Generator<Member> {
    for (const token of tokens) {
      if (this.#assembling || this.#beginsWanted(token)) {
        this.#assembler.consume(token);
        this.#assembling = !this.#assembler.done;
        if (!this.#assembling) yield { section: this.#section, key: this.#key, value: this.#assembler.current };
      } else {
        this.#step(token);
      }
    }
  }

  /** True at the first token of an entry that is to be built. */
  #beginsWanted(token: Token): boolean {
    if (this.#depth !== 2 || token.name === "keyValue" || token.name === "endObject" || token.name === "endArray") {
      return false;
    }
    if (this.#index !== null) this.#key = String(this.#index++);
    return this.#wanted(this.#section, this.#key);
  }

  #step(token: Token): void {
    switch (token.name) {
      case "startObject":
      case "startArray":
        if (this.#depth === 0 && token.name === "startArray") throw new Error("it is an array, not an object");
        if (this.#depth === 1) this.#index = token.name === "startArray" ? 0 : null;
        this.#depth++;
        this.started = true;
        break;
      case "endObject":
      case "endArray":
        this.#depth--;
        this.ended = this.#depth === 0;
        break;
      case "keyValue":
        if (this.#depth === 1) this.#section = token.value;
        if (this.#depth === 2) this.#key = token.value;
        break;
      default:
        if (this.#depth === 0) throw new Error("it is a single value, not an object");
    }
  }
}
