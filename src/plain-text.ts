/** Names that people type, and text of any origin made safe to show. */
import { hasMoreCharacters } from "./characters.ts";

/** What moves a terminal's cursor, breaks a line or turns the direction of text: it would deceive whoever reads it. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;
const INVISIBLE = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

/** Whether text is one line of sound Unicode without control characters. */
export function isPlainLine(text: string): boolean {
  return text.isWellFormed() && text.search(CONTROLS) === -1;
}

/**
 * The one rule for names that people type. Two names that look alike by spaces around them, or by composed and
 * decomposed letters, become the same name.
 * @returns the name, trimmed and composed (NFC); null if it shows nothing, is longer than `max` or is no plain line
 */
export function findName(text: string, max: number): string | null {
  const name = text.trim().normalize("NFC");
  return isPlainLine(text) && !INVISIBLE.test(name) && !hasMoreCharacters(name, max) ? name : null;
}

/** Writes control characters as JSON does, such as `\u001b`, line breaks too. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Writes control characters but line breaks as JSON does, such as `\u001b`. JSON stays the same JSON. */
export function escapeInLines(text: string): string {
  return text.split("\n").map(escapeControls).join("\n");
}
