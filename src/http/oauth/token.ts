/** `POST /oauth/token`: the client-credentials grant (RFC 6749, section 4.4). */
import type { z } from "zod";

import type { AccessTokenRequest, IssuedAccessToken } from "../../auth/access-tokens.ts";
import { OauthError } from "../../auth/oauth-error.ts";
import type { ClientCredential } from "../../metadata/accounts.ts";
import { type Scope, SCOPES } from "../../metadata/records.ts";
import { JSON_TYPE } from "../answer/error-answer.ts";
import type { LockoutGuard } from "../guard/lockout.ts";
import type { Quota } from "../guard/quota.ts";
import type { Middleware } from "../state.ts";
import { readClientCredentials } from "./client-credentials.ts";
import { type Form, readForm } from "./form.ts";
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
