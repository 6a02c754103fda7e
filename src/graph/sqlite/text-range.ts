/** Questions of text as ranges of an index: what begins, or ends in whole parts, with a given text. */

/** A folded fqn written backwards with a dot behind it, so that the fqns that end in given whole parts are one range. */
export function fqnTail(folded: string): string {
  return `${[...folded].toReversed().join("")}.`;
}

/** The least value above all texts that begin with `prefix`, by code point. SQLite orders every blob above all text. */
export function endOfPrefix(prefix: string): string | Uint8Array {
  const points = [...prefix];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0) ?? 0;
    // Surrogates are no characters.
    if (point < 0x10ffff) return points.join("") + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1);
  }
  return new Uint8Array();
}
