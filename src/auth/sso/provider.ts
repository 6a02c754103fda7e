/** The OpenID Connect provider: discovery, the code flow with PKCE, and logout. The only user of openid-client. */
import * as client from "openid-client";

import { type Clock, CLOCK_SKEW_MS } from "../../clock.ts";
import type { SsoSettings } from "../../settings/settings.ts";
import { LoginError } from "../logins/login-error.ts";
import type { Flow } from "./flow.ts";

const TIMEOUT_SECONDS = 10;
/** Afterwards the provider is asked again what it can do. */
const DISCOVER_EVERY_MS = 60 * 60_000;

/** What the provider says of a person, as it came. */
export type Claims = Readonly<Record<string, unknown>> & { iss: string; sub: string };

type SsoClientSettings = Pick<SsoSettings, "issuer" | "clientId" | "clientSecret" | "groupsClaim">;

export function createSsoProvider(settings: SsoClientSettings, clock: Clock) {
  let discovered: { at: number; config: Promise<client.Configuration> } | undefined;

  /** Looks the provider up at the first use, and again after a failure. So it may be away when the service starts. */
  async function getConfig(): Promise<client.Configuration> {
    const now = clock.steadyMs();
    if (discovered === undefined || now - discovered.at > DISCOVER_EVERY_MS) {
      discovered = { at: now, config: discover(settings) };
    }
    const mine = discovered;
    try {
      return await mine.config;
    } catch (error) {
      if (discovered === mine) discovered = undefined;
      throw new LoginError("sso_unavailable", "The provider of single sign-on does not answer as it should.", error);
    }
  }

  return {
    /**
     * @returns the address at the provider where the person logs in
     * @throws LoginError `sso_unavailable`
     */
    async authorizationUrl({ state, nonce, verifier }: Flow, redirectUri: string): Promise<URL> {
      const config = await getConfig();
      const asksForGroups = config.serverMetadata().scopes_supported?.includes("groups") ?? false;
      return client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: asksForGroups ? "openid email profile groups" : "openid email profile",
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
    },
    /**
     * @param callback the address at which the provider sent the browser back
     * @throws LoginError `sso_denied` if the person or the provider refused; `sso_unavailable`; `sso_failed` for an answer
     *   that is not for this attempt, or not valid
     */
    async readClaims({ state, nonce, verifier }: Flow, callback: URL): Promise<Claims> {
      const config = await getConfig();
      try {
        const checks = {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        };
        const tokens = await client.authorizationCodeGrant(config, callback, checks);
        const claims = tokens.claims();
        if (claims === undefined) throw new Error("there is no ID token");
        // The library checks when the token ends, and not whether its time of issue can be.
        if (claims.iat * 1_000 > clock.now().getTime() + CLOCK_SKEW_MS) {
          throw new Error("the ID token was issued in the future: one of the clocks is wrong");
        }
        const needed = ["email", "email_verified", "name", settings.groupsClaim];
        const isWhole = needed.every((name) => claims[name] !== undefined);
        // Some providers tell the address and groups only here (OpenID Connect Core 1.0, 5.4).
        if (isWhole || config.serverMetadata().userinfo_endpoint === undefined) return { ...claims };
        return { ...(await client.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
      } catch (error) {
        throw toLoginError(error);
      }
    },
    /** @returns the address at which the provider logs people out (OpenID Connect RP-Initiated Logout 1.0); null if none */
    async logoutUrl(returnTo: string): Promise<string | null> {
      const config = await getConfig();
      if (config.serverMetadata().end_session_endpoint === undefined) return null;
      return client.buildEndSessionUrl(config, { post_logout_redirect_uri: returnTo }).href;
    },
  };
}

function discover({ issuer, clientId, clientSecret }: SsoClientSettings): Promise<client.Configuration> {
  const [basic, post] = [client.ClientSecretBasic(clientSecret), client.ClientSecretPost(clientSecret)];
  const authenticate: client.ClientAuth = (server, ...rest) => {
    // Without a list, Basic (OpenID Connect Discovery 1.0, section 3).
    const supported = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    return (supported.includes("client_secret_basic") ? basic : post)(server, ...rest);
  };
  const execute = [client.enableNonRepudiationChecks];
  // The settings permit http on this machine only.
  if (issuer.startsWith("http:")) execute.push(client.allowInsecureRequests);
  return client.discovery(new URL(issuer), clientId, {}, authenticate, { execute, timeout: TIMEOUT_SECONDS });
}

function toLoginError(error: unknown): LoginError {
  if (error instanceof client.AuthorizationResponseError) {
    return error.error === "access_denied"
      ? new LoginError("sso_denied", "The login was cancelled or refused at the provider.", error)
      : new LoginError("sso_failed", "The provider could not log the person in.", error);
  }
  const code = error instanceof client.ClientError ? error.code : undefined;
  const isAway = error instanceof TypeError || code === "OAUTH_TIMEOUT" || code === "OAUTH_RESPONSE_IS_NOT_CONFORM";
  return isAway
    ? new LoginError("sso_unavailable", "The provider of single sign-on does not answer as it should.", error)
    : new LoginError("sso_failed", "The provider's answer is not valid for this attempt to log in.", error);
}
