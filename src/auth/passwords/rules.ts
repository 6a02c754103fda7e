/** Which passwords people may choose (NIST SP 800-63B, 3.1.1): long ones, without rules about their characters. */
import { hasMoreCharacters } from "../../characters.ts";
import { badField } from "../../errors.ts";

const MIN_PASSWORD_CHARACTERS = 12;
const MAX_PASSWORD_CHARACTERS = 1_000;

/**
 * The most common passwords of at least 12 characters, in lower case. Shorter passwords and those of one repeated
 * character are refused anyway. A short list is enough: the lockout stops a client after a few attempts.
 */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  123456789012 1234567890123 12345678901234 123456789012345 1234567890123456 0123456789012 123412341234 123123123123
  121212121212 112233445566 123321123321 098765432100 987654321012 12345678900987654321 1234567891011 123456789101112
  123456654321 102030405060 147258369147 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i q1w2e3r4t5y6 1qaz2wsx3edc
  1qaz2wsx3edc4rfv zaq12wsxcde3 qazwsxedcrfv qazwsxedc123 qwertyuiop12 qwertyuiop123 qwertyuiopasdf
  qwertyuiopasdfghjklzxcvbnm qwertyuiopasdfghjkl qwerty123456 qwerty1234567 qwerty12345678 qwertyqwerty qweasdzxc123
  asdfghjkl123 asdfghjklzxcvbnm asdfasdfasdf zxcvbnm12345 abcdefghijkl abcdefghijklmnopqrstuvwxyz abcdefg12345
  abc123456789 abcd12345678 abcabcabcabc password1234 password12345 password123456 password1234567 passwordpassword
  password@123 p@ssw0rd1234 p@ssword1234 passw0rd1234 mypassword123 newpassword1 passwordabcd iloveyou1234
  iloveyou12345 iloveyou123456 iloveyouforever iloveyousomuch ilovemyfamily letmein12345 letmeinletmein welcome12345
  welcome123456 welcomewelcome changeme1234 administrator admin1234567 admin12345678 adminadminadmin admin@123456
  root12345678 trustno1trustno1 correcthorsebatterystaple sunshine1234 princess1234 football1234 baseball1234
  basketball123 superman1234 liverpool123 manchesterunited
  `
    .trim()
    .split(/\s+/),
);

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
 * For a password that somebody logs in with. No user has a longer one.
 * @throws AppError `bad_request` if it is longer than any password
 */
export function requirePossiblePassword(password: string, field = "password"): void {
  if (hasMoreCharacters(password, MAX_PASSWORD_CHARACTERS)) {
    throw badField(field, `may have at most ${MAX_PASSWORD_CHARACTERS} characters`);
  }
}
