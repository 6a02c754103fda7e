/** Which passwords people may choose (NIST SP 800-63B, 3.1.1): long ones, without rules about their characters. */
import { hasMoreCharacters } from "../../characters.ts";
import { badField } from "../../errors.ts";
import { COMMON_PASSWORDS } from "./common.ts";

const MIN_PASSWORD_CHARACTERS = 12;
const MAX_PASSWORD_CHARACTERS = 1_000;

/**
 * @param field the name of the password in the request
 * @throws AppError `bad_request` if it is too short, too long, the address, or one of the most common ones
 */
export function requireGoodPassword(password: string, email: string, field = "password"): void {
  if (!password.isWellFormed()) throw badField(field, "is not well-formed text");
  const plain = password.normalize("NFKC").toLowerCase();
  if (!hasMoreCharacters(plain, MIN_PASSWORD_CHARACTERS - 1)) {
    throw badField(field, `must have at least ${MIN_PASSWORD_CHARACTERS} characters`);
  }
  requirePossiblePassword(password, field);
  if (plain === email.toLowerCase()) throw badField(field, "must not be the e-mail address");
  if (COMMON_PASSWORDS.has(plain) || /^(.)\1*$/su.test(plain)) {
    throw badField(field, "is one of the most common passwords");
  }
}

/**
 * For a password that somebody logs in with. Longer texts are nobody's.
 * @throws AppError `bad_request` if it is longer than any password
 */
export function requirePossiblePassword(password: string, field = "password"): void {
  if (hasMoreCharacters(password, MAX_PASSWORD_CHARACTERS)) {
    throw badField(field, `may have at most ${MAX_PASSWORD_CHARACTERS} characters`);
  }
}
