/** The use cases of `auth/`, over a new metadata store and a clock that the test moves. */
import { issueAccessToken } from "../../src/auth/access-tokens.ts";
import { type ApiKeyRequest, createApiKey } from "../../src/auth/api-keys.ts";
import { createAuthenticator } from "../../src/auth/bearer.ts";
import type { AuthParts } from "../../src/auth/change.ts";
import { fromCommandLine, fromRequest, type Origin } from "../../src/auth/origin.ts";
import type { Principal } from "../../src/auth/principal.ts";
import { createServiceAccount } from "../../src/auth/service-accounts.ts";
import { systemRandom } from "../../src/clock.ts";
import type { AccessToken, ApiKey, AuditEvent, Role, Scope, ServiceAccount, User } from "../../src/metadata/records.ts";
import { openTestMetadata, type TestMetadata } from "./metadata-store.ts";

/** The source address of all requests in these tests. */
export const SOURCE = "192.0.2.1";

interface TestClient {
  account: ServiceAccount;
  clientSecret: string;
  /** Issues an access token. */
  issue: (scopes?: readonly Scope[] | null) => Promise<string>;
}

export interface TestAuth extends TestMetadata {
  parts: AuthParts;
  /** The command line, acting as the admin. */
  origin: Origin;
  createKey: (change?: Partial<ApiKeyRequest>, by?: Origin) => Promise<{ key: ApiKey; token: string }>;
  createClient: (role: Role, name?: string) => Promise<TestClient>;
  /** Adds a user, and returns the origin of their requests from the command line. */
  addUser: (role: Role, email?: string) => Promise<{ user: User; by: Origin }>;
  /** The principal of a token. */
  enter: (token: string) => Promise<Principal>;
  /** The origin of a request with this token. */
  requestBy: (token: string, source?: string) => Promise<Origin>;
  /** The audit trail, oldest first, without its random parts. */
  trail: () => Promise<Pick<AuditEvent, "action" | "actor" | "source" | "subject" | "details">[]>;
  liveTokens: () => Promise<AccessToken[]>;
}

export async function openTestAuth(): Promise<TestAuth> {
  const metadata = await openTestMetadata();
  const { store, clock, workspace, admin } = metadata;
  const parts = { store, clock, random: systemRandom };
  const origin = fromCommandLine(workspace, admin);
  const { authenticate } = createAuthenticator(parts);
  const enter = (token: string): Promise<Principal> => authenticate([`Bearer ${token}`]);
  return {
    ...metadata,
    parts,
    origin,
    enter,
    createKey: (change = {}, by = origin) =>
      createApiKey(parts, by, { name: "ci", scopes: ["read"], expiresInDays: null, kind: "live", ...change }),
    async createClient(role, name = "airflow") {
      const { account, clientSecret } = await createServiceAccount(parts, origin, { name, role });
      const { clientId } = account;
      return {
        account,
        clientSecret,
        issue: async (scopes = null) =>
          (await issueAccessToken(parts, { clientId, clientSecret, scopes, source: SOURCE })).token,
      };
    },
    async addUser(role, email = `${role}@example.com`) {
      const user = await store.users.create({ workspaceId: workspace.id, email, role });
      return { user, by: fromCommandLine(workspace, user) };
    },
    requestBy: async (token, source = SOURCE) => fromRequest(await enter(token), source),
    async trail() {
      const { items } = await store.audit.list(workspace.id, { after: null, limit: 1_000 });
      return items
        .toSorted((a, b) => (a.at < b.at ? -1 : 1))
        .map(({ action, actor, source, subject, details }) => ({ action, actor, source, subject, details }));
    },
    liveTokens: () => store.accessTokens.listLive(workspace.id),
  };
}
