/** Reads a large JSON object piece by piece, so that memory holds one piece and not the file. */
import { createReadStream } from "node:fs";

import { jsonParser } from "stream-json/parser.js";
import type { Token } from "stream-json/parser.js";

import { failure, type Source, unreadableFile } from "./faults.ts";
import { MEMBER_LIMITS, MemberBuilder, type MemberLimits } from "./member-builder.ts";

/** One entry of one section: `nodes` / `model.shop.orders` / its value. Entries of an array have their index as key. */
export interface Member {
  section: string;
  key: string;
  value: unknown;
  /** Why it was not built, its value being undefined: it is too large. Null for every other. */
  excess: string | null;
}

/** Whether an entry is worth building; what is not is only tokenised. */
export type Wanted = (section: string, key: string) => boolean;

export interface ReadOptions {
  signal: AbortSignal;
  /** Called after each chunk with its size. */
  onBytes?: (bytes: number) => void;
  /** How large one entry may be, where it is not as large as usual. */
  limits?: MemberLimits;
}

/** A chunk is tokenised in about a millisecond, which is as long as the event loop waits. */
const CHUNK_BYTES = 64 * 1024;
/** What is nested deeper is no artifact: the parser remembers every level. */
const MAX_DEPTH = 100_000;
/** Of a key: a longer one is cut. */
const MAX_KEY_CHARACTERS = 2_000;

/**
 * Yields the wanted entries of a JSON object's sections, in the file's order.
 * Strings in them are slices that keep their whole chunk alive: copy what is kept.
 * @throws CrawlFailure where the file cannot be read or is no complete JSON object in UTF-8
 */
export async function* readMembers(
  file: Source & { path: string },
  wanted: Wanted,
  { signal, onBytes, limits = MEMBER_LIMITS }: ReadOptions,
): AsyncGenerator<Member> {
  // Text comes in pieces, which can be let go: one string may be larger than all memory.
  const parse = jsonParser({ packValues: false, streamValues: true });
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const walk = new SectionWalk(wanted, limits);
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
    const reason = error instanceof Error ? error.message : String(error);
    throw malformed(file, `${reason}${walk.place}`, error);
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
  readonly #limits: MemberLimits;
  /** The entry that is being built. */
  #builder: MemberBuilder | null = null;
  /** Of everything, wanted or not. */
  #depth = 0;
  #section = "";
  #key = "";
  /** The index of the next entry where the section is an array. */
  #index: number | null = null;
  /** The pieces so far of a text or number. */
  #text = "";

  constructor(wanted: Wanted, limits: MemberLimits) {
    this.#wanted = wanted;
    this.#limits = limits;
  }

  /** Where the file is at fault, as far as it is known; "" outside of every entry. */
  get place(): string {
    return this.#depth < 2 || this.#key === "" ? "" : `, in ${this.#key}`;
  }

  *members(tokens: readonly Token[]): Generator<Member> {
    for (const token of tokens) {
      switch (token.name) {
        case "startKey":
        case "startNumber":
        case "startString":
          // Its own text begins; that of an entry is counted from its first piece on.
          this.#text = "";
          if (token.name !== "startKey") this.#beginEntry();
          break;
        case "stringChunk":
        case "numberChunk":
          this.#grow(token.value);
          break;
        case "endKey":
          yield* this.#take({ name: "keyValue", value: this.#text });
          break;
        case "endNumber":
          yield* this.#take({ name: "numberValue", value: this.#text });
          break;
        case "endString":
          yield* this.#take({ name: "stringValue", value: this.#text });
          break;
        default:
          if (token.name !== "endObject" && token.name !== "endArray") this.#beginEntry();
          yield* this.#take(token);
      }
    }
  }

  /** What is not built needs no text but its key. */
  #grow(piece: string): void {
    const builder = this.#builder;
    builder?.grow(piece.length);
    const isNeeded = builder === null ? this.#text.length < MAX_KEY_CHARACTERS : builder.excess === null;
    if (isNeeded) this.#text += builder === null ? piece.slice(0, MAX_KEY_CHARACTERS - this.#text.length) : piece;
  }

  *#take(token: Token): Generator<Member> {
    const builder = this.#builder;
    if (token.name === "startObject" || token.name === "startArray") this.#deepen();
    if (builder === null) {
      this.#step(token);
    } else {
      builder.take(token);
      if (token.name === "endObject" || token.name === "endArray") this.#depth--;
      if (!builder.done) return;
      const { excess, value } = builder;
      this.#builder = null;
      yield { section: this.#section, key: this.#key, value: excess === null ? value : undefined, excess };
    }
  }

  #deepen(): void {
    this.#depth++;
    if (this.#depth > MAX_DEPTH) throw new Error(`it is nested more than ${MAX_DEPTH} levels deep`);
  }

  /** At the first token of an entry: it is built where it is wanted. */
  #beginEntry(): void {
    if (this.#depth !== 2 || this.#builder !== null) return;
    if (this.#index !== null) this.#key = String(this.#index++);
    if (this.#wanted(this.#section, this.#key)) this.#builder = new MemberBuilder(this.#limits);
  }

  #step(token: Token): void {
    switch (token.name) {
      case "startObject":
      case "startArray":
        if (this.#depth === 1 && token.name === "startArray") throw new Error("it is an array, not an object");
        if (this.#depth === 2) this.#index = token.name === "startArray" ? 0 : null;
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
