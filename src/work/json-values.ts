/** Parses JSON texts that somebody sent, with a limit for their values. */
import { Assembler } from "stream-json/assembler.js";
import { jsonParser, type Token } from "stream-json/parser.js";

import { AppError } from "../errors.ts";

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
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(error);
  }
}

/** A text of this length is parsed in some milliseconds. */
const SLICE_CHARACTERS = 64 * 1024;

/**
 * The same for a text of any length. It yields between its slices.
 * @throws AppError as `parseBoundedJson` does
 */
export function* parsingJson(text: string, maxValues = Infinity): Generator<void, unknown> {
  if (text.length <= SLICE_CHARACTERS) return parseBoundedJson(text, maxValues);
  const parse = jsonParser({ streamValues: false });
  const assembler = new Assembler();
  let values = 0;
  for (let at = 0; at < text.length; at += SLICE_CHARACTERS) {
    yield;
    for (const token of parseSlice(parse, text.slice(at, at + SLICE_CHARACTERS))) {
      if (token.name !== "keyValue" && !token.name.startsWith("end") && ++values > maxValues) {
        throw tooManyValues(maxValues);
      }
      assembler.consume(token);
    }
  }
  if (values === 0 || !assembler.done) throw malformed();
  return assembler.current;
}

function parseSlice(parse: ReturnType<typeof jsonParser>, text: string): readonly Token[] {
  try {
    const parsed = parse(text);
    return typeof parsed === "symbol" ? [] : parsed.values;
  } catch (error) {
    throw malformed(error);
  }
}

function tooManyValues(most: number): AppError {
  return new AppError("bad_request", `The body has more than ${most} JSON values.`);
}

function malformed(cause?: unknown): AppError {
  return new AppError("bad_request", "The body is not well-formed JSON.", { cause });
}
