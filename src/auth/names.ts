/** Names that people give to keys and accounts. */
import { badField } from "../errors.ts";
import { findName } from "../plain-text.ts";

const MAX_NAME_CHARACTERS = 100;

/**
 * @returns the name as it is stored
 * @throws AppError `bad_request` if the name is blank, has more than 100 characters, or contains control characters
 */
export function parseName(text: string): string {
  const name = findName(text, MAX_NAME_CHARACTERS);
  if (name !== null) return name;
  throw badField("name", `must be 1 to ${MAX_NAME_CHARACTERS} visible characters, without control characters`);
}
