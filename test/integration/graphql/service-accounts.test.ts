import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { at, createRestClient, type Json } from "../../support/rest-client.ts";

const CREATE = `mutation ($name: String!, $role: Role!) {
  createServiceAccount(input: { name: $name, role: $role }) { clientSecret serviceAccount { id clientId role secrets { id } } }
}`;
const LIST = `{ serviceAccounts { nodes { id name clientId role disabledAt secrets { id createdAt revokedAt } } } }`;
const ROTATE = `mutation ($id: ID!) { rotateClientSecret(input: { accountId: $id }) { clientSecret secret { id } } }`;
const REVOKE_SECRET = `mutation ($id: ID!) { revokeClientSecret(input: { id: $id }) { secret { revokedAt } } }`;
const SET_ROLE = `mutation ($id: ID!, $role: Role!) { setServiceAccountRole(input: { id: $id, role: $role }) { serviceAccount { role } } }`;
const SET_DISABLED = `mutation ($id: ID!, $disabled: Boolean!) {
  setServiceAccountDisabled(input: { id: $id, disabled: $disabled }) { serviceAccount { disabledAt } }
}`;
const REVOKE_TOKENS = `mutation ($id: ID!) { revokeServiceAccountTokens(input: { accountId: $id }) { revoked } }`;
const TOKENS = `query ($id: ID) {
  accessTokens(accountId: $id) { nodes { id prefix scopes expiresAt serviceAccount { name } } }
}`;
const REVOKE_TOKEN = `mutation ($id: ID!) { revokeToken(input: { id: $id }) { id } }`;

let running: RunningApp;
let admin: GraphqlClient;
beforeAll(async () => {
  running = await startApp();
  admin = createGraphqlClient(running);
});
afterAll(() => running.close());

interface Account {
  id: string;
  clientId: string;
  clientSecret: string;
}

async function createAccount(name: string, role: string): Promise<Account> {
  const { data, message } = await admin(CREATE, { name, role });
  expect(message).toBe("");
  const created = at(data, "createServiceAccount");
  return {
    id: String(at(created, "serviceAccount", "id")),
    clientId: String(at(created, "serviceAccount", "clientId")),
    clientSecret: String(at(created, "clientSecret")),
  };
}

/** Requests an access token. */
async function exchange(
  account: Account,
  clientSecret = account.clientSecret,
): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${running.url}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: account.clientId,
      client_secret: clientSecret,
    }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

async function tokenOf(account: Account, clientSecret?: string): Promise<string> {
  const { body } = await exchange(account, clientSecret);
  return String(at(body, "access_token"));
}

async function read(token: string): Promise<number> {
  return (await createRestClient({ url: running.url, token })("/api/v1/catalog/assets")).status;
}

describe("a service account", () => {
  it("A service account gets tokens with the secret that was shown once, and no list shows a secret", async () => {
    const account = await createAccount("airflow", "engineer");
    expect(account.clientSecret).toMatch(/^svc_cs_/);
    expect(await read(await tokenOf(account))).toBe(200);
    const listed = (await admin(LIST)).data;
    expect(at(listed, "serviceAccounts", "nodes", 0)).toMatchObject({
      id: account.id,
      name: "airflow",
      clientId: account.clientId,
      role: "engineer",
      disabledAt: null,
      secrets: [{ revokedAt: null }],
    });
    expect(JSON.stringify(listed)).not.toContain(account.clientSecret);
    expect((await admin(CREATE, { name: "airflow", role: "analyst" })).codes).toEqual(["CONFLICT"]);
  });

  it("A service account changes its secret without downtime: two secrets are valid at once, never three", async () => {
    const account = await createAccount("rotated", "analyst");
    const rotated = (await admin(ROTATE, { id: account.id })).data;
    const fresh = String(at(rotated, "rotateClientSecret", "clientSecret"));
    expect((await exchange(account)).status).toBe(200);
    expect((await exchange(account, fresh)).status).toBe(200);
    const third = await admin(ROTATE, { id: account.id });
    expect(third.codes).toEqual(["CONFLICT"]);
    expect(third.message).toMatch(/revoke/i);

    const accounts = at((await admin(LIST)).data, "serviceAccounts", "nodes") as {
      id: string;
      secrets: { id: string }[];
    }[];
    const first = accounts.find(({ id }) => id === account.id)?.secrets[0]?.id;
    const revoked = (await admin(REVOKE_SECRET, { id: first })).data;
    expect(at(revoked, "revokeClientSecret", "secret", "revokedAt")).toEqual(expect.any(String));
    expect((await exchange(account)).status).toBe(401);
    expect((await exchange(account, fresh)).status).toBe(200);
  });

  it("The tokens of a service account lose the rights that the account loses", async () => {
    const account = await createAccount("demoted", "admin");
    const asked = createGraphqlClient({ url: running.url, token: await tokenOf(account) });
    expect((await asked(LIST)).codes).toEqual([]);
    expect((await admin(SET_ROLE, { id: account.id, role: "analyst" })).data).toEqual({
      setServiceAccountRole: { serviceAccount: { role: "analyst" } },
    });
    expect((await asked(LIST)).codes).toEqual(["FORBIDDEN"]);
  });

  it("A disabled service account is refused with all its secrets and tokens, until it is enabled", async () => {
    const account = await createAccount("disabled", "analyst");
    const token = await tokenOf(account);
    const { data } = await admin(SET_DISABLED, { id: account.id, disabled: true });
    expect(at(data, "setServiceAccountDisabled", "serviceAccount", "disabledAt")).toEqual(expect.any(String));
    expect(await read(token)).toBe(401);
    expect((await exchange(account)).status).toBe(401);
    await admin(SET_DISABLED, { id: account.id, disabled: false });
    expect(await read(token)).toBe(200);
  });
});

describe("an access token", () => {
  it("An access token is listed while it is valid, and can be revoked alone", async () => {
    const account = await createAccount("lister", "analyst");
    const [one, other] = [await tokenOf(account), await tokenOf(account)];
    const listed = async () =>
      at((await admin(TOKENS, { id: account.id })).data, "accessTokens", "nodes") as { id: string; prefix: string }[];
    const tokens = await listed();
    expect(tokens).toHaveLength(2);
    expect(tokens[0]).toMatchObject({ scopes: ["read"], serviceAccount: { name: "lister" } });
    const id = tokens.find(({ prefix }) => one.startsWith(prefix))?.id;
    expect((await admin(REVOKE_TOKEN, { id })).data).toEqual({ revokeToken: { id: id } });
    expect([await read(one), await read(other)]).toEqual([401, 200]);
    expect(await listed()).toHaveLength(1);
  });

  it("All access tokens of an account can be revoked together", async () => {
    const account = await createAccount("emptied", "analyst");
    const [one, other] = [await tokenOf(account), await tokenOf(account)];
    expect((await admin(REVOKE_TOKENS, { id: account.id })).data).toEqual({
      revokeServiceAccountTokens: { revoked: 2 },
    });
    expect([await read(one), await read(other)]).toEqual([401, 401]);
    expect(await read(await tokenOf(account))).toBe(200);
  });
});
