/** Names that people give to keys and accounts. */
import { badField } from "../errors.ts";
import { findName } from "../plain-text.ts";

const MAX_NAME_CHARACTERS = 100;

/**
 * @returns the name as it is kept
 * @throws AppError `bad_request` for a blank name, one of more than 100 characters, or one with control characters
 */
export function parseName(text: string): string {
  const name = findName(text, MAX_NAME_CHARACTERS);
  if (name !== null) return name;
  throw badField("name", `must be 1 to ${MAX_NAME_CHARACTERS} visible characters, without control characters`);
}
