/** Reads a client's id and secret from HTTP Basic or from the form (RFC 6749, section 2.3.1). */
import { OauthError } from "../../auth/oauth-error.ts";
import { decodePercent } from "../body/query-string.ts";
import type { Form } from "./form.ts";

export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

/** RFC 7617, section 2. The scheme is not case-sensitive. */
const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2})$/i;

/**
 * @param headers the values of all Authorization headers
 * @throws OauthError `invalid_request` if both ways are used, `invalid_client` if none is used, or it is incomplete or
 *   unknown
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
  // The form may repeat the client's id, but it must be the same.
  if (clientId !== undefined && clientId !== credentials.clientId) {
    throw new OauthError("invalid_request", "The client_id of the form is not that of the Authorization header.");
  }
  return credentials;
}

/** Id and secret are form-encoded and joined with a colon. Only the first colon separates them. */
function parseBasic(header: string): ClientCredentials | null {
  const text = decodeBase64(BASIC.exec(header)?.[1] ?? "");
  const colon = text?.indexOf(":") ?? -1;
  if (text === null || colon === -1) return null;
  const clientId = decodeFormText(text.slice(0, colon));
  const clientSecret = decodeFormText(text.slice(colon + 1));
  return clientId && clientSecret ? { clientId, clientSecret } : null;
}

/** Decodes canonical Base64 of UTF-8. Returns null for anything else. */
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
