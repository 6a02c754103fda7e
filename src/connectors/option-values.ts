/** The forms of values that the options of several connectors have. */
import { z } from "zod";

import { isStorableName } from "../catalog/text.ts";

/** A name of something outside. */
export const nameOption = z.string().trim().refine(isStorableName, "must not contain control characters");

/** An option of every type. It is part of ids, so two installations of one platform get different ids. */
export const instanceOption = nameOption
  .max(200, "must have at most 200 characters")
  .default("")
  .describe("Tells this installation from another one of the same platform; leave it out if there is only one");

/** The entries between commas or line breaks. Empty ones are dropped. */
export function splitEntries(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/** A list of at most so many entries. */
export function entriesOption(most: number) {
  const entries = z.array(z.string()).max(most, `may have at most ${most} entries`);
  return z.string().transform(splitEntries).pipe(entries);
}

/**
 * Whether a name fits a pattern, in which `*` stands for any characters. Takes at most time in proportion to the product
 * of both lengths, whatever the pattern is.
 * @param anyOne the sign that stands for one character; absent: none does
 */
export function fitsPattern(name: string, pattern: string, anyOne?: "?"): boolean {
  let [at, index] = [0, 0];
  /** Where to try on after a mismatch: the last star, and the character up to which it reaches. */
  let star = -1;
  let reach = 0;
  while (at < name.length) {
    const next = pattern[index];
    if (next === "*") {
      star = index++;
      reach = at;
    } else if (next !== undefined && (next === anyOne || next === name[at])) {
      // Only a sign for one character takes both halves of a surrogate pair; the pattern has the halves of its own.
      at += next === anyOne && (name.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
      index++;
    } else if (star !== -1) {
      index = star + 1;
      at = ++reach;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(index));
}
