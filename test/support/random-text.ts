/** Random text for catalogs: few words, so that they collide, and every script and character that may cause errors. */
import fc from "fast-check";

import { isStorableName } from "../../src/catalog/text.ts";

const WORDS = [
  "orders Orders ORDERS order customer daily stg of a ab x1 2024 v2",
  "größe GRÖSSE grosse e\u0301te\u0301 été İs ὈΔΌΣ ὀδός заказ ЗАКАЗ 注文 ｗｉｄｅ ﬁn",
  "שלום طلبات 😀 👩‍👩‍👧 𝒜b 𐐀𐐁 𐐨 ～ 한국 ไทย X\u030cabc \u0301 \u200b Ǆ ½",
].flatMap((line) => line.split(" "));
const SIGNS = [
  "_",
  ".",
  " ",
  "",
  "-",
  "/",
  "'",
  '"',
  "%",
  "\\",
  "*",
  ":",
  "(",
  ")",
  "^",
  "~",
  " OR ",
  " NOT ",
  "{",
  "|",
];

export const word = fc.constantFrom(...WORDS);

const words = fc
  .array(fc.tuple(word, fc.constantFrom(...SIGNS)), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.flat().slice(0, -1).join(""));

/** Any code points that a name may contain; never blank. */
const anything = fc
  .oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 5 }),
    fc.string({ unit: "binary", minLength: 1, maxLength: 5 }),
    fc.string({ unit: fc.constantFrom(...SIGNS, ...WORDS), minLength: 1, maxLength: 4 }),
  )
  .filter((text) => text.trim() !== "" && isStorableName(text));

export const name = fc.oneof({ weight: 4, arbitrary: words }, { weight: 1, arbitrary: anything });

const long = fc.tuple(words, word).map(([text, last]) => {
  // The cut may split a character, and no statement contains half of one.
  return `${`${text} `.repeat(10_000).slice(0, 10_000).toWellFormed()} ${last}`;
});

export const description = fc.oneof(
  { weight: 3, arbitrary: fc.constant("") },
  { weight: 6, arbitrary: fc.array(fc.oneof(word, name), { maxLength: 5 }).map((parts) => parts.join(" ")) },
  { weight: 1, arbitrary: long },
);

/** Texts that people type: names, some of their words, their beginnings, and mistakes. */
export const query = fc.oneof(
  { weight: 3, arbitrary: fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(" ")) },
  { weight: 3, arbitrary: name },
  { weight: 2, arbitrary: fc.tuple(name, fc.nat(6)).map(([text, length]) => [...text].slice(0, length + 1).join("")) },
);
