/** Reads the parameters of a token request. */
import { OauthError } from "../../auth/oauth-error.ts";
import { excerpt } from "../../characters.ts";
import { hasBody, isPlain, readBodyText } from "../body/body.ts";
import { parseQueryString } from "../body/query-string.ts";
import type { RestContext } from "../state.ts";

/** Anyone may send forms, and each parameter takes time. The grant has four. */
const MAX_PARAMETERS = 50;

export type Form = Readonly<Record<string, string>>;

/**
 * Reads the form in the body (RFC 6749, section 3.2, and its appendix B).
 * A parameter without a value counts as absent. Callers ignore unknown parameters.
 * @throws OauthError `invalid_request`, and the errors of `readBodyText`
 */
export async function readForm(ctx: RestContext): Promise<Form> {
  // Section 2.3.1: a secret in a URL would appear in logs.
  if (ctx.querystring !== "") throw new OauthError("invalid_request", "Parameters belong in the body, not in the URL.");
  if (!hasBody(ctx)) return {};
  if (!isPlain(ctx, "application/x-www-form-urlencoded")) {
    throw new OauthError(
      "invalid_request",
      "The body must be application/x-www-form-urlencoded, in UTF-8 and not compressed.",
    );
  }
  const text = await readBodyText(ctx);
  if (text.split("&", MAX_PARAMETERS + 1).length > MAX_PARAMETERS) {
    throw new OauthError("invalid_request", `The form may have at most ${MAX_PARAMETERS} parameters.`);
  }
  const { values, faults } = parseQueryString(text);
  const [fault] = faults;
  if (fault !== undefined) {
    throw new OauthError("invalid_request", `${excerpt(fault.field)} ${fault.message}.`);
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}
