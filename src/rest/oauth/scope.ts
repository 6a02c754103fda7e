/** Parses the scope of a token request (RFC 6749, section 3.3). */
import { OauthError } from "../../auth/oauth-error.ts";
import { type Scope, SCOPES } from "../../metadata/records.ts";

/**
 * @param text scopes with one space between them, or undefined
 * @returns the scopes without duplicates; null if the text is undefined
 * @throws OauthError `invalid_scope` if a word is not a scope, or there is no word
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
