/** The service with a workspace whose tokens are tested at the guard, and raw HTTP requests. */
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
/** The highest possible limit, so that no test reaches it by chance. */
export const RATE_LIMIT = 10_000;

export interface Asked {
  /** Raw header lines with their line breaks; none by default. */
  authorization?: string;
  /** The value of every id. */
  id?: string;
  /** The client's address of the request; a new one by default. Null: the proxy's address. */
  source?: string | null;
}

interface Client extends OauthClient {
  /** The origin of the account's requests. */
  by: Origin;
  issue: () => Promise<string>;
}

export interface GuardBench {
  running: RunningApp;
  clock: TestClock;
  parts: AuthParts;
  /** The workspace whose tokens are tested, and its admin. */
  home: Origin;
  openWorkspace: (name: string) => Promise<Origin>;
  createKey: (
    by: Origin,
    scopes: readonly Scope[],
    change?: Partial<ApiKeyRequest>,
  ) => Promise<{ key: ApiKey; token: string }>;
  /** The token of a valid key. */
  tokenOf: (by: Origin, scopes?: readonly Scope[]) => Promise<string>;
  /** A user who makes their own keys. */
  addUser: (email: string, role: Role) => Promise<Origin & { userId: UserId }>;
  /** A service account with the role admin. */
  addClient: (name: string, by?: Origin) => Promise<Client>;
  /** The id of a key or access token. */
  idOf: (token: string) => Promise<TokenId>;
  ask: (target: Target, asked?: Asked) => Promise<RawAnswer>;
  /** The number of requests sent. */
  countSent: () => number;
}

export function bearer(token: string): string {
  return `Authorization: Bearer ${token}\r\n`;
}

export async function openGuardBench(): Promise<GuardBench> {
  const clock = createTestClock();
  // The tests act as a proxy, so every request can come from a different address.
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
