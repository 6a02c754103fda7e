/** How the catalog folds, orders and checks text. Every engine uses the same rules. */

// eslint-disable-next-line no-control-regex
const ASCII = /^[\0-\x7f]*$/;

/** Whether all characters are ASCII: then no rule of Unicode is needed, and work on the text costs a fraction. */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/** Folds a name for identity and order: canonical composition (NFC) and lower case. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.normalize("NFC").toLowerCase().normalize("NFC");
}

/** Folds text for search: it ignores compatibility forms, case and accents. */
export function foldForSearch(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "");
}

/**
 * Orders by code point. This is also the byte order of UTF-8, by which both engines sort. JavaScript's own `<` orders
 * by UTF-16 unit, which differs above U+FFFF.
 */
export function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    let x = a.charCodeAt(i);
    let y = b.charCodeAt(i);
    if (x === y) continue;
    // Surrogates stand for code points above the basic plane, so they sort above all other units.
    if (x >= 0xd800 && y >= 0xd800) {
      x = x >= 0xe000 ? x - 0x800 : x + 0x2000;
      y = y >= 0xe000 ? y - 0x800 : y + 0x2000;
    }
    return x - y;
  }
  return a.length - b.length;
}

/** Whether every store can keep and compare the text in the same way: no lone surrogate and no control character. */
export function isStorableName(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}
