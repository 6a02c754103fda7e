/** Names that people give to keys and accounts. */
import { hasMoreCharacters } from "../characters.ts";
import { badField } from "../errors.ts";

const MAX_NAME_CHARACTERS = 100;

/** What moves a terminal's cursor, breaks a line or turns the direction of text: it would deceive who lists names. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u;

/** @throws AppError `bad_request` for a blank name, one of more than 100 characters, or one with control characters */
export function requireName(name: string): void {
  if (CONTROLS.test(name)) throw badField("name", "must have no control characters");
  if (name.trim() === "" || hasMoreCharacters(name, MAX_NAME_CHARACTERS)) {
    throw badField("name", `must be 1 to ${MAX_NAME_CHARACTERS} characters`);
  }
}
