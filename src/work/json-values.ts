/** Parses JSON texts that somebody sent, with a limit for their values. */
import { Assembler } from "stream-json/assembler.js";
import { jsonParser, type Token } from "stream-json/parser.js";

import { AppError } from "../errors.ts";
import { isTooDeep, MAX_DEPTH } from "./measure-json.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `{`, `[` and `,`. A text has at most one value more than it has of these. */
const STARTERS: ReadonlySet<number> = new Set([0x7b, 0x5b, 0x2c]);

/**
 * Whether a JSON text has more values than `most`. Objects, lists and their members count. Takes a few milliseconds for
 * a megabyte, while parsing a megabyte of brackets takes hundreds.
 */
export function hasMoreValues(text: string, most: number): boolean {
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = findEndOfString(text, at);
    else if (STARTERS.has(code) && ++values > most) return true;
  }
  return false;
}

/**
 * @param start the index of the string's first quote
 * @returns the index of its last quote, or the end of the text if there is none
 */
function findEndOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

/**
 * Parses JSON that somebody sent. The values are counted first, because parsing them is what takes long.
 * @throws AppError `bad_request` if it has too many values or is not JSON
 */
export function parseBoundedJson(text: string, maxValues: number): unknown {
  // A text has at most as many values as characters.
  if (text.length > maxValues && hasMoreValues(text, maxValues)) throw tooManyValues(maxValues);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformed(error);
  }
  if (isTooDeep(value)) throw tooDeep();
  return value;
}

/** A text of this length is parsed at once in some milliseconds. */
const SHORT_CHARACTERS = 64 * 1024;
/** The same in slices, where each escape is a token. */
const SLICE_CHARACTERS = 16 * 1024;

/** Members of one object. Its keys can only be listed at once, which takes 10 ms for so many. */
const MAX_MEMBERS = 20_000;

interface ParsingOptions {
  maxValues?: number;
  /** If given, an object keeps its first `members`, and the others are `told`. Otherwise they are refused. */
  cut?: { members: number; told: () => void };
}

/**
 * The same for a text of any length. It yields between its slices.
 * @throws AppError as `parseBoundedJson` does
 */
export function* parsingJson(
  text: string,
  { maxValues = Infinity, cut }: ParsingOptions = {},
): Generator<void, unknown> {
  if (text.length <= SHORT_CHARACTERS) return parseBoundedJson(text, maxValues);
  const parse = jsonParser({ packKeys: false, packStrings: false, streamNumbers: false });
  const assembler = new Assembler();
  const pieces = new TextPieces();
  let values = 0;
  /** Of the objects that are open. */
  const members: number[] = [];
  /** How many objects and lists are open in a member that is left out; null outside of one. */
  let leftOut: number | null = null;
  for (let at = 0; at < text.length; at += SLICE_CHARACTERS) {
    yield;
    for (const part of parseSlice(parse, text.slice(at, at + SLICE_CHARACTERS))) {
      const token = pieces.pack(part);
      if (token === null) continue;
      const isEnd = token.name.startsWith("end");
      if (token.name !== "keyValue" && !isEnd && ++values > maxValues) throw tooManyValues(maxValues);
      if (leftOut !== null) {
        leftOut += token.name.startsWith("start") ? 1 : isEnd ? -1 : 0;
        if (leftOut > MAX_DEPTH) throw tooDeep();
        if (leftOut === 0 && token.name !== "keyValue") leftOut = null;
        continue;
      }
      if (token.name === "startObject") members.push(0);
      else if (token.name === "endObject") members.pop();
      else if (token.name === "keyValue") {
        const count = (members.pop() ?? 0) + 1;
        members.push(count);
        if (count > (cut?.members ?? MAX_MEMBERS)) {
          if (cut === undefined) throw refusal(`has an object with more than ${MAX_MEMBERS} members`);
          cut.told();
          leftOut = 0;
          continue;
        }
      }
      if (assembler.stack.length > 2 * MAX_DEPTH) throw tooDeep();
      assembler.consume(token);
    }
    pieces.join();
  }
  if (values === 0 || !assembler.done) throw malformed();
  return assembler.current;
}

/**
 * Packs the pieces of a text, one for each escape, as they come. If millions of them were added to one string, its first
 * reader would have to join all of them at once.
 */
class TextPieces {
  #joined: string[] = [];
  #pieces: string[] = [];

  /** @returns the token of a whole text, or null for a piece of it */
  pack(token: Token): Token | null {
    if (token.name === "stringChunk") this.#pieces.push(String(token.value));
    else if (token.name === "endString") return { name: "stringValue", value: this.#take() };
    else if (token.name === "endKey") return { name: "keyValue", value: this.#take() };
    else if (token.name !== "startString" && token.name !== "startKey") return token;
    return null;
  }

  join(): void {
    if (this.#pieces.length === 0) return;
    this.#joined.push(this.#pieces.join(""));
    this.#pieces = [];
  }

  #take(): string {
    this.join();
    const text = this.#joined.join("");
    this.#joined = [];
    return text;
  }
}

function parseSlice(parse: ReturnType<typeof jsonParser>, text: string): readonly Token[] {
  try {
    const parsed = parse(text);
    return typeof parsed === "symbol" ? [] : parsed.values;
  } catch (error) {
    throw malformed(error);
  }
}

function refusal(problem: string, cause?: unknown): AppError {
  return new AppError("bad_request", `The body ${problem}.`, { cause });
}

function tooManyValues(most: number): AppError {
  return refusal(`has more than ${most} JSON values`);
}

function tooDeep(): AppError {
  return refusal(`is nested deeper than ${MAX_DEPTH} levels`);
}

function malformed(cause?: unknown): AppError {
  return refusal("is not well-formed JSON", cause);
}
