/** Searches of text as ranges of an index: texts that begin with a given text, or that end in whole parts of it. */

/** A folded fqn, reversed, with a dot at the end. All fqns that end in the same whole parts are then one range. */
export function fqnTail(folded: string): string {
  return `${[...folded].toReversed().join("")}.`;
}

/** The least text above all texts that begin with `prefix`, by code point. Null if no text is above them. */
export function endOfPrefix(prefix: string): string | null {
  const points = [...prefix];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0) ?? 0;
    // Surrogates are not characters, so they are skipped.
    if (point < 0x10ffff) return points.join("") + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1);
  }
  return null;
}
