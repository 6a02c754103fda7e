/** Who asks for a token: a client's id and secret, by HTTP Basic or in the form (RFC 6749, section 2.3.1). */
import { OauthError } from "../../auth/oauth-error.ts";
import { decodePercent } from "../query-string.ts";
import type { Form } from "./form.ts";

export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

/** RFC 7617, section 2, whose scheme may be in any case. */
const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2})$/i;

/**
 * @param headers the values of all Authorization headers
 * @throws OauthError `invalid_request` for two ways at once, `invalid_client` for none, half a one, or another than these
 */
export function readClientCredentials(headers: readonly string[], form: Form): ClientCredentials {
  const { client_id: clientId, client_secret: clientSecret } = form;
  const [header] = headers;
  if (header === undefined) {
    if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
    throw new OauthError("invalid_client", "The client must authenticate, by HTTP Basic or in the form.");
  }
  if (headers.length > 1 || clientSecret !== undefined) {
    throw new OauthError("invalid_request", "The client must authenticate in one way, not in several.");
  }
  const credentials = parseBasic(header);
  if (credentials === null) {
    throw new OauthError("invalid_client", "The Authorization header must be Basic credentials: see RFC 6749, 2.3.1.");
  }
  // A client may name itself in the form as well, but not someone else.
  if (clientId !== undefined && clientId !== credentials.clientId) {
    throw new OauthError("invalid_request", "The client_id of the form is not that of the Authorization header.");
  }
  return credentials;
}

/** Both halves are encoded as in a form before Basic joins them; only the first colon parts them. */
function parseBasic(header: string): ClientCredentials | null {
  const text = decodeBase64(BASIC.exec(header)?.[1] ?? "");
  const colon = text?.indexOf(":") ?? -1;
  if (text === null || colon === -1) return null;
  const clientId = decodeFormText(text.slice(0, colon));
  const clientSecret = decodeFormText(text.slice(colon + 1));
  return clientId && clientSecret ? { clientId, clientSecret } : null;
}

/** Base64 in its one canonical form, of UTF-8; null for anything else. */
function decodeBase64(encoded: string): string | null {
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.toString("base64") !== encoded) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function decodeFormText(text: string): string | null {
  return decodePercent(text.replaceAll("+", " "));
}
