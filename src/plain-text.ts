/** Checks names that people type, and makes any text safe to show. */
import { hasMoreCharacters } from "./characters.ts";

/**
 * Characters that move a terminal's cursor, break a line or change the direction of text. They could deceive readers.
 */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;
const INVISIBLE = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

/** Whether a text is one line of well-formed Unicode without control characters. */
export function isPlainLine(text: string): boolean {
  return text.isWellFormed() && text.search(CONTROLS) === -1;
}

/**
 * The rule for all names that people type. Names that differ only in spaces around them, or in composed and decomposed
 * letters, become equal.
 * @returns the name, trimmed and composed (NFC); null if it is invisible, longer than `max` or not a plain line
 */
export function findName(text: string, max: number): string | null {
  const name = text.trim().normalize("NFC");
  return isPlainLine(text) && !INVISIBLE.test(name) && !hasMoreCharacters(name, max) ? name : null;
}

/** Escapes control characters as JSON does, such as `\u001b`, including line breaks. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Escapes control characters as JSON does, except line breaks. A JSON text keeps its meaning. */
export function escapeInLines(text: string): string {
  return text.split("\n").map(escapeControls).join("\n");
}
