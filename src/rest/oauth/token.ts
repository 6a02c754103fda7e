/** `POST /oauth/token`: the client-credentials grant (RFC 6749, section 4.4). */
import type { AccessTokenRequest, IssuedAccessToken } from "../../auth/access-tokens.ts";
import { OauthError } from "../../auth/oauth-error.ts";
import { JSON_TYPE } from "../error-answer.ts";
import type { Middleware } from "../state.ts";
import { readClientCredentials } from "./client-credentials.ts";
import { type Form, readForm } from "./form.ts";
import { parseScope } from "./scope.ts";

/** See `issueAccessToken`. */
export type TokenIssuer = (request: AccessTokenRequest) => Promise<IssuedAccessToken>;

export function answerToken(issueToken: TokenIssuer): Middleware {
  return async (ctx) => {
    const form = await readForm(ctx);
    requireGrantType(form);
    const credentials = readClientCredentials(ctx.req.headersDistinct["authorization"] ?? [], form);
    const scopes = parseScope(form["scope"]);
    const issued = await issueToken({ ...credentials, scopes, source: ctx.state.source });
    ctx.set({ "Content-Type": JSON_TYPE, Pragma: "no-cache" });
    ctx.body = JSON.stringify({
      access_token: issued.token,
      token_type: "Bearer",
      expires_in: issued.expiresInSeconds,
    });
  };
}

function requireGrantType({ grant_type: grantType }: Form): void {
  if (grantType === undefined) throw new OauthError("invalid_request", "The form must have a grant_type.");
  if (grantType !== "client_credentials") {
    throw new OauthError("unsupported_grant_type", "The only grant_type is client_credentials.");
  }
}
