/** Cuts a sentence of a model's into what can be held against the catalog: names, numbers, addresses, quotes and words. */
import { foldForSearch } from "../../../catalog/text.ts";

export interface Part {
  kind: "name" | "quote" | "address" | "date" | "number" | "word" | "mark";
  /** As written, without backticks. */
  text: string;
  /** Folded; what rules look at. */
  word: string;
}

const NUMBER_WORDS = "one two three four five six seven eight nine ten eleven twelve".split(" ");

const QUOTED = String.raw`\x60([^\x60\n]{1,1000})\x60`;
const ADDRESS = String.raw`([\w.+-]+@[\w-]+(?:\.[\w-]+)+)`;
const DATE = String.raw`(\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: ?UTC|Z)?)?)`;
const NAME = String.raw`([\p{L}\p{N}\p{M}]*_[\p{L}\p{N}\p{M}_]*(?:\.[\p{L}\p{N}\p{M}_]+)*|[\p{L}\p{M}][\p{L}\p{N}\p{M}]*(?:\.[\p{L}\p{N}\p{M}_]+)+)`;
const NUMBER = String.raw`(\d[\d,]*(?:\.\d+)?%?)(?![\p{L}\p{N}])`;
const WORD = String.raw`([\p{L}\p{N}\p{M}]+)(?:['’](s|t|re|ve|ll|d|m)(?![\p{L}\p{N}]))?`;
const MARK = String.raw`([^\s\p{L}\p{N}\p{M}])`;
const PART = new RegExp([QUOTED, ADDRESS, DATE, NAME, NUMBER, WORD, MARK].join("|"), "gu");

/** The parts in their order. What looks like a name is one, whether there is such an asset or not. */
export function cutParts(sentence: string): Part[] {
  return [...sentence.replaceAll(/-+>/g, "→").matchAll(PART)].flatMap(
    ([, quoted, address, date, name, number, word, suffix, mark]): Part[] => {
      if (quoted !== undefined) return [part("name", quoted.trim())];
      if (address !== undefined) return [part("address", address)];
      if (date !== undefined) return [part("date", date)];
      if (name !== undefined) return [part("name", name)];
      if (number !== undefined) return [part("number", number.replaceAll(",", ""))];
      if (word !== undefined) return toWords(word, suffix);
      return mark === undefined || /["“”'‘’*]/.test(mark) ? [] : [part("mark", mark)];
    },
  );
}

function toWords(text: string, suffix: string | undefined): Part[] {
  const word = foldForSearch(text);
  const value = NUMBER_WORDS.indexOf(word);
  if (value >= 0) return [part("number", String(value + 1))];
  // "isn't" is cut before its t.
  if (suffix === "t" && word.endsWith("n")) return [part("word", text.slice(0, -1)), part("word", "not")];
  return [part("word", text)];
}

function part(kind: Part["kind"], text: string): Part {
  return { kind, text, word: foldForSearch(text) };
}
