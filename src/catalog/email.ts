/** Owners and certifiers are e-mail addresses. Any other text is kept apart as a name. */

const MAX_CHARACTERS = 254;
/** "Valid e-mail address" of the WHATWG HTML standard, section 4.10.5.1.5. */
const ADDRESS =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_CHARACTERS && ADDRESS.test(text);
}
