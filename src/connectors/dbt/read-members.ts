/** Reads a large JSON object entry by entry, so that only one entry is in memory, not the whole file. */
import { jsonParser, type Token } from "stream-json/parser.js";
import type { z } from "zod";

import { type CrawlEvent, CrawlFailure, type NextTurn } from "../connector.ts";
import { nextIteration } from "../pacing.ts";
import { IrregularFile } from "../source-file.ts";
import { failure, malformedMember, oversizedMember, type Source, unreadableFile } from "./faults.ts";
import type { Input } from "./input.ts";
import { MEMBER_LIMITS, MemberBuilder, type MemberLimits } from "./member-builder.ts";

/** One entry of one section: `nodes` / `model.shop.orders` / its value. The key of an array's entry is its index. */
export interface Member {
  section: string;
  key: string;
  value: unknown;
  /** Why the entry is too large. Its value is undefined then. Null for all other entries. */
  excess: string | null;
}

/** Whether an entry is needed. Other entries are only tokenised. */
export type Wanted = (section: string, key: string) => boolean;

export interface ReadOptions {
  signal: AbortSignal;
  /** Awaited before each chunk. Default: the next iteration of the event loop. */
  nextTurn?: NextTurn;
  /** Called after each chunk with its size. */
  onBytes?: (bytes: number) => void;
  /** Called for each section of the file, also for an empty one. */
  onSection?: (name: string) => void;
  /** How large one entry may be. Default: `MEMBER_LIMITS`. */
  limits?: MemberLimits;
}

/** A chunk of this size is tokenised in about a millisecond. The event loop waits for that long, and then gets a turn. */
const CHUNK_BYTES = 64 * 1024;
/** No artifact is nested so deep. The parser needs memory for each level. */
const MAX_DEPTH = 100_000;
/** Longer keys are cut. */
const MAX_KEY_CHARACTERS = 2_000;

/**
 * Yields the wanted entries of a JSON object's sections, in the file's order.
 * Strings in them are slices, which keep their whole chunk in memory. So copy what you keep.
 * @throws CrawlFailure if the file cannot be read, or is not a complete JSON object in UTF-8
 */
export async function* readMembers(
  file: Source & Pick<Input, "open">,
  wanted: Wanted,
  { signal, nextTurn = nextIteration, onBytes, onSection, limits = MEMBER_LIMITS }: ReadOptions,
): AsyncGenerator<Member> {
  // Strings come in pieces, which can be dropped, because one string may be larger than the memory.
  const parse = jsonParser({ packValues: false, streamValues: true });
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const walk = new SectionWalk(wanted, limits, onSection);
  let isBlank = true;
  try {
    for await (const chunk of inPieces(file.open())) {
      // A file in memory comes without waiting.
      await nextTurn();
      signal.throwIfAborted();
      const text = decoder.decode(chunk, { stream: true });
      isBlank &&= text.trim() === "";
      const parsed = parse(text);
      if (typeof parsed !== "symbol") yield* walk.members(parsed.values);
      onBytes?.(chunk.length);
    }
  } catch (error) {
    if (signal.aborted || error instanceof CrawlFailure) throw error;
    if (isUnreadable(error)) throw unreadableFile(file, error);
    const reason = error instanceof Error ? error.message : String(error);
    throw malformed(file, `${reason}${walk.location}`, error);
  }
  if (!walk.started) throw malformed(file, isBlank ? "the file is empty" : "it does not begin with {");
  if (!walk.ended) throw malformed(file, "it ends too early, as if it was cut off");
}

/** Reads an entry in its shape. If it is too large or has another shape, an error says so, and the result is null. */
export function* parseMember<T>(
  { key, value, excess }: Pick<Member, "key" | "value" | "excess">,
  shape: z.ZodType<T>,
): Generator<CrawlEvent, T | null> {
  if (excess !== null) {
    yield oversizedMember(key, excess);
    return null;
  }
  const { data = null, error } = shape.safeParse(value);
  if (error !== undefined) yield malformedMember(key, error);
  return data;
}

/** Reads kept entries in their shape, and adds an error for each that has another one. */
export function* parseKept<T>(
  members: ReadonlyMap<string, unknown>,
  shape: z.ZodType<T>,
  errors: CrawlEvent[],
): Generator<[id: string, T]> {
  for (const [key, value] of members) {
    const parsed = shape.safeParse(value);
    if (parsed.success) yield [key, parsed.data];
    else errors.push(malformedMember(key, parsed.error));
  }
}

async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += CHUNK_BYTES) yield chunk.subarray(at, at + CHUNK_BYTES);
  }
}

/** Whether the file itself failed, and not what is in it. */
function isUnreadable(error: unknown): boolean {
  return error instanceof IrregularFile || (error instanceof Error && "syscall" in error);
}

function malformed(source: Source, reason: string, cause?: unknown) {
  const why = `is not complete JSON: ${reason}`;
  return failure(source, { code: "malformed_json", stage: "parse", why }, cause);
}

/** Follows the tokens of the first two levels, and builds the wanted entries. */
class SectionWalk {
  started = false;
  ended = false;
  readonly #wanted: Wanted;
  readonly #limits: MemberLimits;
  readonly #onSection: ((name: string) => void) | undefined;
  /** The entry that is being built. */
  #builder: MemberBuilder | null = null;
  /** Counts the levels of all entries, wanted or not. */
  #depth = 0;
  #section = "";
  #key = "";
  /** The index of the next entry if the section is an array; else null. */
  #index: number | null = null;
  /** The pieces so far of a string or number. */
  #text = "";

  constructor(wanted: Wanted, limits: MemberLimits, onSection?: (name: string) => void) {
    this.#wanted = wanted;
    this.#limits = limits;
    this.#onSection = onSection;
  }

  /** The current entry, for error messages; "" outside entries. */
  get location(): string {
    return this.#depth < 2 || this.#key === "" ? "" : `, in ${this.#key}`;
  }

  *members(tokens: readonly Token[]): Generator<Member> {
    for (const token of tokens) {
      switch (token.name) {
        case "startKey":
        case "startNumber":
        case "startString":
          // The entry must begin before its first piece, so that all pieces are counted.
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

  /** Adds a piece to the text. Outside a wanted entry only keys are needed, and only their first characters. */
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

  /** Call it at the first token of an entry. If the entry is wanted, starts to build it. */
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
        if (this.#depth === 1) {
          this.#section = token.value;
          this.#onSection?.(token.value);
        }
        if (this.#depth === 2) this.#key = token.value;
        break;
      default:
        if (this.#depth === 0) throw new Error("it is a single value, not an object");
    }
  }
}
