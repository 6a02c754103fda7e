/** How the catalog folds, orders and checks text, the same for every engine. */

/** Folds a name for identity and order: canonical composition and lower case. */
export function fold(text: string): string {
  return text.normalize("NFC").toLowerCase().normalize("NFC");
}

/** Folds text for search: compatibility forms, case and accents do not count. */
export function foldForSearch(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "");
}

/**
 * Orders by code point, which is also the byte order of UTF-8 that both engines sort by.
 * JavaScript's own `<` orders by UTF-16 unit, which differs above U+FFFF.
 */
export function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    let x = a.charCodeAt(i);
    let y = b.charCodeAt(i);
    if (x === y) continue;
    // Surrogates sort above every other unit of the basic plane.
    if (x >= 0xd800 && y >= 0xd800) {
      x = x >= 0xe000 ? x - 0x800 : x + 0x2000;
      y = y >= 0xe000 ? y - 0x800 : y + 0x2000;
    }
    return x - y;
  }
  return a.length - b.length;
}

/** Whether text can be stored and compared alike everywhere: no lone surrogate, no control character. */
export function isStorableName(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}
