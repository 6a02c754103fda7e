/** How much JSON there is to parse, told without parsing it. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `{`, `[` and `,`: a text has at most one value more than these. */
const STARTERS: ReadonlySet<number> = new Set([0x7b, 0x5b, 0x2c]);

/**
 * Tells whether a JSON text holds more values than this: objects, lists and what is in them. Takes a few milliseconds for
 * a megabyte, where parsing as much of nothing but brackets takes hundreds.
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

/** @param start of the string's first quote; a string without an end goes on to the end of the text */
function findEndOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
