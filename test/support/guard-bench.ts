/** The service with a workspace whose tokens are tried at the guard, and requests by the byte. */
import { issueAccessToken } from "../../src/auth/access-tokens.ts";
import { type ApiKeyRequest, createApiKey } from "../../src/auth/api-keys.ts";
import type { AuthParts } from "../../src/auth/change.ts";
import { fromCommandLine, type Origin } from "../../src/auth/origin.ts";
import { setRateLimit } from "../../src/auth/security-settings.ts";
import { createServiceAccount } from "../../src/auth/service-accounts.ts";
import { createUser } from "../../src/auth/users.ts";
import type { TokenId, UserId } from "../../src/ids.ts";
import type { ApiKey, Role, Scope } from "../../src/metadata/records.ts";
import { establishWorkspace, getFirstAdmin } from "../../src/cli/start/workspace.ts";
import { type RunningApp, startApp } from "./app.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { NOWHERE, type Target } from "./guard-targets.ts";
import { authPartsOf, type OauthClient } from "./oauth.ts";
import { present } from "./present.ts";
import { type RawAnswer, sendRaw } from "./raw-http.ts";

export const ALL_SCOPES = ["read", "write", "admin"] as const;
/** The highest that there is: no test meets it by chance. */
export const RATE_LIMIT = 10_000;

export interface Asked {
  /** Header lines as they stand, with their line breaks; none unless told. */
  authorization?: string;
  /** For everything that is an id. */
  id?: string;
  /** The address that the request is sent for: one of its own unless told. Null: the proxy's. */
  source?: string | null;
}

interface Client extends OauthClient {
  /** What comes from the account. */
  by: Origin;
  issue: () => Promise<string>;
}

export interface GuardBench {
  running: RunningApp;
  clock: TestClock;
  parts: AuthParts;
  /** The workspace whose tokens are tried, by its admin. */
  home: Origin;
  openWorkspace: (name: string) => Promise<Origin>;
  createKey: (
    by: Origin,
    scopes: readonly Scope[],
    change?: Partial<ApiKeyRequest>,
  ) => Promise<{ key: ApiKey; token: string }>;
  /** A key that lives. */
  tokenOf: (by: Origin, scopes?: readonly Scope[]) => Promise<string>;
  /** Someone who makes keys of their own. */
  addUser: (email: string, role: Role) => Promise<Origin & { userId: UserId }>;
  /** A service account of an admin's role. */
  addClient: (name: string, by?: Origin) => Promise<Client>;
  /** The id of a key or access token. */
  idOf: (token: string) => Promise<TokenId>;
  ask: (target: Target, asked?: Asked) => Promise<RawAnswer>;
  /** How many requests were sent. */
  countSent: () => number;
}

export function bearer(token: string): string {
  return `Authorization: Bearer ${token}\r\n`;
}

export async function openGuardBench(): Promise<GuardBench> {
  const clock = createTestClock();
  // The tests speak for a proxy: every request may come from an address of its own.
  const running = await startApp({ env: { TRUSTED_PROXIES: "127.0.0.1/32" }, overrides: { clock } });
  const { metadata } = running.app;
  const parts = authPartsOf(running.app);
  let sent = 0;

  const openWorkspace = async (name: string): Promise<Origin> => {
    const workspace = await establishWorkspace(metadata, name, "live");
    const origin = fromCommandLine(workspace, await getFirstAdmin(metadata, workspace));
    await setRateLimit(parts, origin, RATE_LIMIT);
    return origin;
  };
  const createKey: GuardBench["createKey"] = (by, scopes, change = {}) =>
    createApiKey(parts, by, { name: "key", scopes, expiresInDays: null, kind: "live", ...change });
  const home = await openWorkspace("home");

  return {
    running,
    clock,
    parts,
    home,
    openWorkspace,
    createKey,
    tokenOf: async (by, scopes = ALL_SCOPES) => (await createKey(by, scopes)).token,
    async addUser(email, role) {
      const user = await createUser(parts, home, { email, role });
      return { ...fromCommandLine(home.workspace, user), userId: user.id };
    },
    async addClient(name, by = home) {
      const { account, clientSecret } = await createServiceAccount(parts, by, { name, role: "admin" });
      const { id: accountId, clientId } = account;
      const request = { clientId, clientSecret, scopes: null, source: "192.0.2.1" };
      return {
        accountId,
        clientId,
        clientSecret,
        by: { ...by, actor: { kind: "account", id: accountId, name } },
        issue: async () => (await issueAccessToken(parts, request)).token,
      };
    },
    async idOf(token) {
      const prefix = token.slice(0, token.lastIndexOf("_") + 9);
      const { credentials } = metadata;
      return present((await credentials.findKey(prefix)) ?? (await credentials.findAccessToken(prefix))).id;
    },
    async ask(target, { authorization = "", id = NOWHERE, source } = {}) {
      sent += 1;
      const { line, type, body } = target.write(id);
      const address = source === undefined ? `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}` : source;
      const forwarded = address === null ? "" : `X-Forwarded-For: ${address}\r\n`;
      const content = body === "" ? "" : `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
      const head = `${line} HTTP/1.1\r\nHost: x\r\n${forwarded}${content}${authorization}Connection: close\r\n\r\n`;
      return sendRaw(running.url, head + body);
    },
    countSent: () => sent,
  };
}
