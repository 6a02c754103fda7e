/** The forms of values that the options of several connectors have. */

/** The entries between commas or line breaks. Empty ones are dropped. */
export function splitEntries(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/** `*` stands for any text. */
export function globPattern(glob: string, flags: string): RegExp {
  const fixed = glob.split(/\*+/).map((text) => RegExp.escape(text));
  return new RegExp(`^${fixed.join(".*")}$`, flags);
}
