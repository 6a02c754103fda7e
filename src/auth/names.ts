/** Names that people give to keys and accounts. */
import { badField } from "../errors.ts";

const MAX_NAME_CHARACTERS = 100;

/** @throws AppError `bad_request` for a blank name, or one of more than 100 characters */
export function requireName(name: string): void {
  if (name.trim() === "" || name.length > MAX_NAME_CHARACTERS) {
    throw badField("name", `must be 1 to ${MAX_NAME_CHARACTERS} characters`);
  }
}
