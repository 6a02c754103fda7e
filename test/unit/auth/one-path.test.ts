/**
 * Every refusal takes the same number of steps, whatever its reason. The steps are counted, because a stopwatch would
 * only guess. The steps that take time are the look-ups and the hashes.
 */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { issueAccessToken } from "../../../src/auth/access-tokens.ts";
import { createAuthenticator } from "../../../src/auth/bearer.ts";
import { revokeToken } from "../../../src/auth/revocation.ts";
import { revokeClientSecret, setAccountDisabled } from "../../../src/auth/service-accounts.ts";
import { changeUser } from "../../../src/auth/users.ts";
import { AppError } from "../../../src/errors.ts";
import type { MetadataStore } from "../../../src/metadata/store.ts";
import { openTestAuth, SOURCE, type TestAuth } from "../../support/auth.ts";
import { DAY_MS } from "../../support/clock.ts";
import { present } from "../../support/present.ts";

/** The store's calls since the list was last emptied, in order. */
let lookUps: string[] = [];
const hashes = vi.spyOn(crypto, "hash");
const comparisons = vi.spyOn(crypto, "timingSafeEqual");
beforeAll(syncBuiltinESMExports);
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** The same repository, which records each call in `lookUps`. */
function watched<T extends object>(noun: T): T {
  return new Proxy(noun, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== "function") return value;
      return (...given: unknown[]): unknown => {
        lookUps.push(String(name));
        return Reflect.apply(value, target, given);
      };
    },
  });
}

function watchedStore(store: MetadataStore): MetadataStore {
  return { ...store, credentials: watched(store.credentials), accounts: watched(store.accounts) };
}

/** The steps to a refusal, and its code and message. */
async function wayOf(work: () => Promise<unknown>) {
  lookUps = [];
  vi.clearAllMocks();
  const error = await work().then(
    () => new Error("it was let in"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw error;
  const { code, message } = error;
  return { lookUps, hashes: hashes.mock.calls.length, comparisons: comparisons.mock.calls.length, code, message };
}

let auth: TestAuth;
beforeEach(async () => {
  auth = await openTestAuth();
});

function enter(token: string) {
  const { authenticate } = createAuthenticator({ store: watchedStore(auth.store), clock: auth.clock });
  return wayOf(() => authenticate([`Bearer ${token}`]));
}

function askForToken(clientId: string, clientSecret: string) {
  const parts = { ...auth.parts, store: watchedStore(auth.store) };
  return wayOf(() => issueAccessToken(parts, { clientId, clientSecret, scopes: null, source: SOURCE }));
}

describe("Bearer tokens", () => {
  it.each([
    [
      "revoked",
      async () => {
        const { key, token } = await auth.createKey();
        await revokeToken(auth.parts, auth.origin, key.id);
        return token;
      },
    ],
    [
      "expired",
      async () => {
        const { token } = await auth.createKey({ expiresInDays: 30 });
        auth.clock.advance(30 * DAY_MS);
        return token;
      },
    ],
    [
      "of a disabled user",
      async () => {
        const { user, by } = await auth.addUser("analyst");
        const { token } = await auth.createKey({}, by);
        await changeUser(auth.parts, auth.origin, { id: user.id, disabled: true });
        return token;
      },
    ],
    ["wrong but for its beginning", async () => `${(await auth.createKey()).token.slice(0, 20)}${"x".repeat(21)}`],
    ["no token at all", () => Promise.resolve("password")],
  ])("A token that is %s is refused in the same steps as an unknown token", async (_what, make) => {
    const unknown = await enter(`svc_live_${"x".repeat(32)}`);
    expect(unknown).toMatchObject({ lookUps: ["findKey"], hashes: 1, comparisons: 1, code: "unauthorized" });
    expect(await enter(await make())).toEqual(unknown);
  });

  it("A revoked access token is refused in the same steps as an unknown one", async () => {
    const token = await (await auth.createClient("engineer")).issue();
    const [issued] = await auth.liveTokens();
    await revokeToken(auth.parts, auth.origin, present(issued).id);
    const unknown = await enter(`svc_at_${"x".repeat(32)}`);
    expect(unknown).toMatchObject({ lookUps: ["findAccessToken"], hashes: 1, comparisons: 1 });
    expect(await enter(token)).toEqual(unknown);
  });
});

describe("OAuth clients", () => {
  it("A client that is disabled, or sends a wrong or revoked secret, is refused in the same steps as an unknown one", async () => {
    const unknown = await askForToken("cli_unknown", "svc_cs_unknown");
    expect(unknown).toMatchObject({ lookUps: ["findByClientId"], hashes: 2, comparisons: 2 });

    const { account, clientSecret } = await auth.createClient("engineer");
    expect(await askForToken(account.clientId, "svc_cs_wrong")).toEqual(unknown);

    const [[secret] = []] = await auth.store.accounts.loadSecrets(auth.workspace.id, [account.id]);
    await revokeClientSecret(auth.parts, auth.origin, present(secret).id);
    expect(await askForToken(account.clientId, clientSecret)).toEqual(unknown);

    const other = await auth.createClient("engineer", "other");
    await setAccountDisabled(auth.parts, auth.origin, { id: other.account.id, disabled: true });
    expect(await askForToken(other.account.clientId, other.clientSecret)).toEqual(unknown);
  });
});
