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

/** `*` stands for any text. */
export function globPattern(glob: string, flags: string): RegExp {
  const fixed = glob.split(/\*+/).map((text) => RegExp.escape(text));
  return new RegExp(`^${fixed.join(".*")}$`, flags);
}
