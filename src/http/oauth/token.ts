/** `POST /oauth/token`: the client-credentials grant (RFC 6749, section 4.4). */
import type { z } from "zod";

import type { AccessTokenRequest, IssuedAccessToken } from "../../auth/access-tokens.ts";
import { OauthError } from "../../auth/oauth-error.ts";
import type { ClientCredential } from "../../metadata/accounts.ts";
import { type Scope, SCOPES } from "../../metadata/records.ts";
import { JSON_TYPE } from "../answer/error-answer.ts";
import type { LockoutGuard } from "../guard/lockout.ts";
import type { Quota } from "../guard/quota.ts";
import type { Middleware, RestContext } from "../state.ts";
import { parseQueryString } from "../body/query-string.ts";
import { decodePercent, excerpt } from "../../characters.ts";
import { hasBody, isPlain, readBodyText } from "../body/body.ts";
import type { accessToken } from "./rows.ts";

/** See `issueAccessToken`. */
export type TokenIssuer = (
  request: AccessTokenRequest,
  admit: (client: ClientCredential) => Promise<void>,
) => Promise<IssuedAccessToken>;

interface TokenParts {
  issueToken: TokenIssuer;
  lockout: LockoutGuard;
  quota: Quota;
}

export function answerToken({ issueToken, lockout, quota }: TokenParts): Middleware {
  return async (ctx) => {
    const form = await readForm(ctx);
    // Checked again after the body. Otherwise, many forms that are sent slowly could try many secrets at the same time.
    await lockout.refuseBlocked(ctx.state.source);
    requireGrantType(form);
    const credentials = readClientCredentials(ctx.req.headersDistinct["authorization"] ?? [], form);
    const scopes = parseScope(form["scope"]);
    const request = { ...credentials, scopes, source: ctx.state.source };
    // The request counts against the quota of the account, which its tokens share.
    const issued = await issueToken(request, ({ account, security }) =>
      quota.take(ctx, { quotaId: account.id, security }, 1),
    );
    ctx.set({ "Content-Type": JSON_TYPE, Pragma: "no-cache" });
    const answer: z.input<typeof accessToken> = {
      access_token: issued.token,
      token_type: "Bearer",
      expires_in: issued.expiresInSeconds,
    };
    ctx.body = JSON.stringify(answer);
  };
}

function requireGrantType({ grant_type: grantType }: Form): void {
  if (grantType === undefined) throw new OauthError("invalid_request", "The form must have a grant_type.");
  if (grantType !== "client_credentials") {
    throw new OauthError("unsupported_grant_type", "The only grant_type is client_credentials.");
  }
}

/**
 * Parses the scope of a token request (RFC 6749, section 3.3).
 * @param text scopes with one space between them, or undefined
 * @returns the scopes without duplicates; null if the text is undefined
 * @throws OauthError `invalid_scope` if a word is not a scope, or there is no word
 */
function parseScope(text: string | undefined): Scope[] | null {
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

interface ClientCredentials {
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

/** Anyone may send forms, and each parameter takes time. The grant has four. */
const MAX_PARAMETERS = 50;

export type Form = Readonly<Record<string, string>>;

/**
 * Reads the form in the body (RFC 6749, section 3.2, and its appendix B).
 * A parameter without a value counts as absent. Callers ignore unknown parameters.
 * @throws OauthError `invalid_request`, and the errors of `readBodyText`
 */
async function readForm(ctx: RestContext): Promise<Form> {
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
