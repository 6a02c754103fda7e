/** The scope of a token request (RFC 6749, section 3.3). */
import { OauthError } from "../../auth/oauth-error.ts";
import { type Scope, SCOPES } from "../../metadata/records.ts";

/**
 * @param text the words asked for, with one space between them; undefined asks for none in particular
 * @returns each of them once, or null where none was asked for
 * @throws OauthError `invalid_scope` for a word that is no scope, or no word at all
 */
export function parseScope(text: string | undefined): Scope[] | null {
  if (text === undefined) return null;
  const words = text.split(" ");
  if (!words.every(isScope)) {
    throw new OauthError("invalid_scope", `The scope must be of ${SCOPES.join(", ")}, with one space between them.`);
  }
  return [...new Set(words)];
}

function isScope(word: string): word is Scope {
  return (SCOPES as readonly string[]).includes(word);
}
