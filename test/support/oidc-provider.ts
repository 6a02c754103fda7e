/** A real OpenID Connect provider on a free port of this machine, and a browser that logs in with it. */
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { type InteractionResults, Provider } from "oidc-provider";

import type { Page } from "./page.ts";

export const CLIENT = { id: "tributary", secret: "a-secret-of-the-provider" } as const;

/** The provider's data of a person, besides the subject. */
interface ProviderPerson {
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
}

export interface TestProvider {
  issuer: string;
  /** People by their subjects. */
  people: Map<string, ProviderPerson>;
  /** The subject of the person at the browser; null refuses to log in. */
  present: string | null;
  /** Makes the provider answer for a service at this origin. Until then it is away. */
  open: (serviceUrl: string) => void;
  /** Makes it answer only errors, until it is opened again. */
  closeDoor: () => void;
  close: () => Promise<void>;
}

export async function startProvider(): Promise<TestProvider> {
  let handle: ((req: IncomingMessage, res: ServerResponse) => void) | null = null;
  const server = createServer((req, res) => {
    if (handle === null) res.writeHead(503).end();
    else handle(req, res);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, ProviderPerson>();
  let provider: Provider | undefined;
  const testProvider: TestProvider = {
    issuer,
    people,
    present: null,
    open(serviceUrl) {
      provider ??= createProvider(issuer, serviceUrl, people);
      const opened = provider;
      const callback = provider.callback();
      handle = (req, res) => {
        if (req.url?.startsWith("/interaction/")) void interact(opened, testProvider, req, res);
        else void callback(req, res);
      };
    },
    closeDoor() {
      handle = null;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return testProvider;
}

function createProvider(issuer: string, serviceUrl: string, people: Map<string, ProviderPerson>): Provider {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const key = { ...privateKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig", alg: "RS256" };
  return new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${serviceUrl}/auth/sso/callback`],
        post_logout_redirect_uris: [`${serviceUrl}/login`],
      },
    ],
    // oidc-provider takes a private key of any kind as a plain object.
    jwks: { keys: [key as { kty: "RSA" }] },
    cookies: { keys: [randomUUID()] },
    scopes: ["openid", "email", "profile", "groups"],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    ttl: { Session: 3_600, Interaction: 600, Grant: 3_600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
  });
}

/** The person at the browser logs in and consents at once. */
async function interact(
  provider: Provider,
  { present }: TestProvider,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(req, res);
  const finish = (result: InteractionResults) =>
    provider.interactionFinished(req, res, result, { mergeWithLastSubmission: true });
  if (present === null) return finish({ error: "access_denied" });
  if (prompt.name === "login") return finish({ login: { accountId: present } });
  const grant = new provider.Grant({ accountId: session?.accountId, clientId: String(params["client_id"]) });
  grant.addOIDCScope("openid email profile groups");
  return finish({ consent: { grantId: await grant.save() } });
}

/** The end of a login: the first page that is neither the provider's nor under `/auth`. */
export interface Walked {
  /** The last path to which the service sent the browser. */
  location: string;
  /** The provider's address at which the login began. */
  asked: URL;
  /** The address to which the provider sent the browser back. */
  callback: URL;
}

/**
 * Logs in by single sign-on, in a browser with new cookies of the provider.
 * @param beforeCallback called when the provider has sent the browser back, before the service sees it
 */
export async function walkThrough(
  page: Page,
  serviceUrl: string,
  query = "",
  beforeCallback: (callback: URL) => URL | Promise<URL> = (callback) => callback,
): Promise<Walked> {
  const begun = await page.ask("GET", `/auth/sso${query}`);
  const asked = new URL(begun.headers.get("location") ?? "", serviceUrl);
  if (asked.origin === serviceUrl) return { location: `${asked.pathname}${asked.search}`, asked, callback: asked };
  const back = await walkAtProvider(asked, serviceUrl);
  const callback = await beforeCallback(back);
  const { headers } = await page.ask("GET", `${callback.pathname}${callback.search}`);
  return { location: headers.get("location") ?? "", asked, callback };
}

/** Follows the provider's redirects until one leads to the service. */
async function walkAtProvider(start: URL, serviceUrl: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = start;
  for (let steps = 0; steps < 20 && at.origin !== serviceUrl; steps++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(at, { redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get("location");
    if (next === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
    at = new URL(next, at);
  }
  return at;
}
