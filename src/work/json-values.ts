/** Counts the values of a JSON text without parsing it. */
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
  if (hasMoreValues(text, maxValues)) {
    throw new AppError("bad_request", `The body has more than ${maxValues} JSON values.`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError("bad_request", "The body is not well-formed JSON.", { cause: error });
  }
}
