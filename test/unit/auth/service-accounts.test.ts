import { describe, expect, it } from "vitest";

import { issueAccessToken } from "../../../src/auth/access-tokens.ts";
import { fromCommandLine } from "../../../src/auth/origin.ts";
import { revokeAccountTokens, revokeToken } from "../../../src/auth/revocation.ts";
import { setAllowlist, setMaxTokenLifetime } from "../../../src/auth/security-settings.ts";
import {
  createServiceAccount,
  removeServiceAccount,
  revokeClientSecret,
  rotateClientSecret,
  setAccountDisabled,
  setAccountRole,
} from "../../../src/auth/service-accounts.ts";
import { toTokenId } from "../../../src/ids.ts";
import { openTestAuth, SOURCE } from "../../support/auth.ts";
import { present } from "../../support/present.ts";
import { DAY_MS, SECOND_MS } from "../../support/clock.ts";

describe("Service accounts", () => {
  it("A service account gets tokens for its secret, and the store keeps neither in plain text", async () => {
    const { createClient, enter, runSql, workspace } = await openTestAuth();
    const { account, clientSecret, issue } = await createClient("engineer");
    expect(account.clientId).toMatch(/^cli_[A-Za-z0-9]{24}$/);
    expect(clientSecret).toMatch(/^svc_cs_[A-Za-z0-9]{40}$/);
    const token = await issue();
    expect(token).toMatch(/^svc_at_[A-Za-z0-9]{32}$/);
    const principal = await enter(token);
    expect(principal).toMatchObject({
      workspace,
      quotaId: account.id,
      actor: { kind: "account", id: account.id, name: "airflow" },
      scopes: new Set(["read", "write"]),
      grants: new Set(),
    });
    expect(principal.tokenId).toMatch(/^tok_/);
    const tables = ["service_accounts", "client_secrets", "access_tokens"];
    const written = JSON.stringify(await Promise.all(tables.map((table) => runSql(`SELECT * FROM ${table}`))));
    expect(written).toContain(token.slice(0, 15));
    expect(written).not.toContain(token.slice(15));
    expect(written).not.toContain(clientSecret.slice("svc_cs_".length));
  });

  it("All tokens of a service account share one quota", async () => {
    const { createClient, enter } = await openTestAuth();
    const { issue } = await createClient("analyst");
    const [one, other] = [await enter(await issue()), await enter(await issue())];
    expect(one.quotaId).toBe(other.quotaId);
    expect(one.tokenId).not.toBe(other.tokenId);
  });

  it("Removing a service account deletes its secrets and ends its tokens and keys", async () => {
    const { createClient, createKey, enter, parts, origin, store, workspace, trail, clock, requestBy, runSql } =
      await openTestAuth();
    const { account, issue } = await createClient("admin");
    const another = await createClient("analyst", "other");
    const token = await issue();
    const { key, token: made } = await createKey({}, await requestBy(token));
    clock.advance(1);
    await removeServiceAccount(parts, origin, account.id);
    await expect(enter(token)).rejects.toMatchObject({ code: "unauthorized" });
    await expect(enter(made)).rejects.toMatchObject({ code: "unauthorized" });
    await expect(issue()).rejects.toThrow("client");
    expect(await store.accounts.list(workspace.id)).toEqual([another.account]);
    expect(await store.keys.findById(workspace.id, key.id)).toMatchObject({ revokedAt: clock.now().toISOString() });
    await expect(enter(await another.issue())).resolves.toBeDefined();
    const last = (await trail()).findLast(({ action }) => action === "account_removed");
    expect(last).toMatchObject({
      actor: "admin@example.com",
      subject: account.id,
      details: { name: "airflow", clientId: account.clientId, keys: 1, accessTokens: 1 },
    });
    expect(await runSql(`SELECT id FROM client_secrets WHERE account_id = '${account.id}'`)).toEqual([]);
    await expect(removeServiceAccount(parts, origin, account.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(createClient("analyst", "airflow")).resolves.toBeDefined();
  });

  it("A service account has a unique name that is not empty", async () => {
    const { createClient, parts, origin } = await openTestAuth();
    await createClient("analyst", "airflow");
    const again = { name: "airflow", role: "analyst" } as const;
    await expect(createServiceAccount(parts, origin, again)).rejects.toMatchObject({ code: "conflict" });
    await expect(createServiceAccount(parts, origin, { ...again, name: "" })).rejects.toMatchObject({
      code: "bad_request",
    });
  });

  it("A demoted service account's tokens lose scopes, and a disabled one's tokens stop working", async () => {
    const { createClient, enter, parts, origin } = await openTestAuth();
    const { account, issue } = await createClient("admin");
    const token = await issue();
    await setAccountRole(parts, origin, { id: account.id, role: "analyst" });
    expect((await enter(token)).scopes).toEqual(new Set(["read"]));
    await setAccountDisabled(parts, origin, { id: account.id, disabled: true });
    await expect(enter(token)).rejects.toMatchObject({ code: "unauthorized" });
    await expect(issue()).rejects.toMatchObject({ oauthCode: "invalid_client" });
    await setAccountDisabled(parts, origin, { id: account.id, disabled: false });
    await expect(enter(token)).resolves.toBeDefined();
  });

  it("Another workspace cannot change a service account or its secrets", async () => {
    const { createClient, parts, store, admin, workspace } = await openTestAuth();
    const { account } = await createClient("admin");
    const [[secret] = []] = await store.accounts.loadSecrets(workspace.id, [account.id]);
    const elsewhere = fromCommandLine(await store.workspaces.create({ name: "other", kind: "live" }), admin);
    const attempts = [
      setAccountRole(parts, elsewhere, { id: account.id, role: "analyst" }),
      setAccountDisabled(parts, elsewhere, { id: account.id, disabled: true }),
      rotateClientSecret(parts, elsewhere, account.id),
      revokeClientSecret(parts, elsewhere, present(secret).id),
      revokeAccountTokens(parts, elsewhere, account.id),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toMatchObject({ code: "not_found" });
    expect(await store.accounts.loadSecrets(elsewhere.workspace.id, [account.id])).toEqual([[]]);
  });
});

describe("Client secrets", () => {
  it("A service account has at most two secrets, so that a rotation needs no downtime", async () => {
    const { createClient, parts, origin, store, workspace, clock } = await openTestAuth();
    const { account, clientSecret, issue } = await createClient("analyst");
    const { clientId } = account;
    clock.advance(1);
    const second = await rotateClientSecret(parts, origin, account.id);
    const issueBy = (secret: string) =>
      issueAccessToken(parts, { clientId, clientSecret: secret, scopes: null, source: SOURCE });
    await expect(issue()).resolves.toBeDefined();
    await expect(issueBy(second.clientSecret)).resolves.toBeDefined();
    await expect(rotateClientSecret(parts, origin, account.id)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("revoke"),
    });
    const [[first] = []] = await store.accounts.loadSecrets(workspace.id, [account.id]);
    await revokeClientSecret(parts, origin, present(first).id);
    await expect(issueBy(clientSecret)).rejects.toMatchObject({ oauthCode: "invalid_client" });
    await expect(issueBy(second.clientSecret)).resolves.toBeDefined();
    await expect(rotateClientSecret(parts, origin, account.id)).resolves.toBeDefined();
  });

  it("A secret that has expired gets no token, and makes room for another one", async () => {
    const { clock, origin, parts, store, workspace } = await openTestAuth();
    await expect(
      createServiceAccount(parts, origin, { name: "a", role: "analyst", expiresInDays: 7 }),
    ).rejects.toMatchObject({ code: "bad_request", details: [{ field: "expiresInDays" }] });
    const request = { name: "airflow", role: "analyst", expiresInDays: 30 } as const;
    const { account, clientSecret } = await createServiceAccount(parts, origin, request);
    const issue = (secret: string) =>
      issueAccessToken(parts, { clientId: account.clientId, clientSecret: secret, scopes: null, source: SOURCE });
    const second = await rotateClientSecret(parts, origin, account.id, 90);
    clock.advance(30 * DAY_MS - 1);
    await expect(issue(clientSecret)).resolves.toBeDefined();
    clock.advance(1);
    await expect(issue(clientSecret)).rejects.toMatchObject({ code: "unauthorized" });
    await expect(issue(second.clientSecret)).resolves.toBeDefined();
    const third = await rotateClientSecret(parts, origin, account.id);
    clock.advance(90 * DAY_MS);
    await expect(issue(second.clientSecret)).rejects.toMatchObject({ code: "unauthorized" });
    await expect(issue(third.clientSecret)).resolves.toBeDefined();
    const [secrets = []] = await store.accounts.loadSecrets(workspace.id, [account.id]);
    expect(secrets.map(({ expiresAt }) => expiresAt !== null)).toEqual([true, true, false]);
  });

  it("A token request is refused with the same error for an unknown client, a disabled client and a wrong secret", async () => {
    const { createClient, parts, origin } = await openTestAuth();
    const known = await createClient("analyst", "known");
    const disabled = await createClient("analyst", "disabled");
    await setAccountDisabled(parts, origin, { id: disabled.account.id, disabled: true });
    const attempts = [
      { clientId: known.account.clientId, clientSecret: disabled.clientSecret },
      { clientId: disabled.account.clientId, clientSecret: disabled.clientSecret },
      { clientId: "cli_unknown", clientSecret: known.clientSecret },
      { clientId: "", clientSecret: "" },
    ].map((each) =>
      issueAccessToken(parts, { ...each, scopes: null, source: SOURCE }).catch((error: unknown) => error),
    );
    const errors = await Promise.all(attempts);
    expect(new Set(errors.map((error) => JSON.stringify({ error, message: String(error) }))).size).toBe(1);
    expect(errors[0]).toMatchObject({ oauthCode: "invalid_client", code: "unauthorized", status: 401 });
  });
});

describe("Access tokens", () => {
  it("An access token has each requested scope once, and only scopes that the role allows", async () => {
    const { createClient, enter } = await openTestAuth();
    const { issue } = await createClient("engineer");
    expect((await enter(await issue(["read", "read"]))).scopes).toEqual(new Set(["read"]));
    await expect(issue(["read", "admin"])).rejects.toMatchObject({ oauthCode: "invalid_scope", status: 400 });
  });

  it("An access token lives for an hour, or less if the workspace's maximum is shorter", async () => {
    const { createClient, enter, clock, parts, origin } = await openTestAuth();
    const { account, clientSecret, issue } = await createClient("analyst");
    const token = await issue();
    clock.advance(3_600 * SECOND_MS - 1);
    await expect(enter(token)).resolves.toBeDefined();
    clock.advance(1);
    await expect(enter(token)).rejects.toMatchObject({ code: "unauthorized" });
    await setMaxTokenLifetime(parts, origin, 600);
    const request = { clientId: account.clientId, clientSecret, scopes: null, source: SOURCE };
    const { expiresInSeconds, ...short } = await issueAccessToken(parts, request);
    expect(expiresInSeconds).toBe(600);
    clock.advance(600 * SECOND_MS);
    await expect(enter(short.token)).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("An expired access token is deleted when the next one is issued", async () => {
    const { createClient, clock, store, workspace, liveTokens } = await openTestAuth();
    const { issue } = await createClient("analyst");
    await issue();
    const [expired] = await liveTokens();
    clock.advance(3_600 * SECOND_MS);
    expect(await liveTokens()).toEqual([]);
    expect(await store.accessTokens.findById(workspace.id, present(expired).id)).not.toBeNull();
    await issue();
    expect(await store.accessTokens.findById(workspace.id, present(expired).id)).toBeNull();
    expect(await liveTokens()).toHaveLength(1);
  });

  it("Access tokens are revoked one by one, or all at once together with the account's keys", async () => {
    const { createClient, createKey, enter, liveTokens, parts, origin, requestBy, workspace, store } =
      await openTestAuth();
    const { account, issue } = await createClient("admin");
    const other = await createClient("analyst", "other");
    const tokens = [await issue(), await issue(), await other.issue(), (await createKey()).token] as const;
    const made = await createKey({}, await requestBy(tokens[1]));
    const [first] = await store.accessTokens.listLive(workspace.id, account.id);
    await revokeToken(parts, origin, present(first).id);
    expect(await liveTokens()).toHaveLength(2);
    expect(await revokeAccountTokens(parts, origin, account.id)).toBe(2);
    for (const dead of [tokens[0], tokens[1], made.token]) {
      await expect(enter(dead)).rejects.toMatchObject({ code: "unauthorized" });
    }
    await expect(enter(tokens[2])).resolves.toBeDefined();
    await expect(enter(tokens[3])).resolves.toBeDefined();
    await expect(revokeToken(parts, origin, toTokenId("tok_0"))).rejects.toMatchObject({ code: "not_found" });
  });

  it("An access token is issued only to addresses on the workspace's allowlist", async () => {
    const { createClient, parts, origin, trail } = await openTestAuth();
    const { issue } = await createClient("analyst");
    await setAllowlist(parts, origin, ["198.51.100.0/24"]);
    await expect(issue()).rejects.toMatchObject({ code: "forbidden" });
    expect((await trail()).map(({ action }) => action)).not.toContain("token_issued");
    await setAllowlist(parts, origin, [`${SOURCE}/32`]);
    await expect(issue()).resolves.toBeDefined();
  });
});

describe("Audit trail of a service account", () => {
  it("The audit trail has each change of a service account once, no failed change and no secret", async () => {
    const { createClient, parts, origin, store, trail, clock, workspace, admin } = await openTestAuth();
    const { account, clientSecret, issue } = await createClient("engineer");
    const tick = () => clock.advance(1);
    tick();
    const { secret, clientSecret: second } = await rotateClientSecret(parts, origin, account.id);
    tick();
    await revokeClientSecret(parts, origin, secret.id);
    await revokeClientSecret(parts, origin, secret.id);
    tick();
    await setAccountRole(parts, origin, { id: account.id, role: "analyst" });
    await setAccountRole(parts, origin, { id: account.id, role: "analyst" });
    tick();
    const token = await issue();
    tick();
    const [live] = await store.accessTokens.listLive(workspace.id);
    await revokeToken(parts, origin, present(live).id);
    await revokeToken(parts, origin, present(live).id);
    await expect(revokeAccountTokens(parts, origin, account.id)).resolves.toBe(0);
    tick();
    await setAccountDisabled(parts, origin, { id: account.id, disabled: true });
    await expect(issue()).rejects.toThrow("client");
    await expect(createClient("analyst", "airflow")).rejects.toThrow("airflow");

    const by = { actor: admin.email, source: "command line", subject: account.id };
    expect(await trail()).toEqual([
      {
        ...by,
        action: "account_created",
        details: { name: "airflow", role: "engineer", secretId: expect.stringMatching(/^sec_/) },
      },
      { ...by, action: "secret_created", details: { secretId: secret.id } },
      { ...by, action: "secret_revoked", details: { secretId: secret.id } },
      { ...by, action: "account_changed", details: { role: { from: "engineer", to: "analyst" } } },
      {
        action: "token_issued",
        actor: "airflow",
        source: SOURCE,
        subject: live?.id,
        details: { accountId: account.id, scopes: ["read"] },
      },
      { ...by, action: "token_revoked", subject: live?.id, details: { accountId: account.id } },
      { ...by, action: "account_changed", details: { disabled: { from: false, to: true } } },
    ]);
    const told = JSON.stringify(await trail());
    for (const text of [clientSecret, second, token]) expect(told).not.toContain(text);
  });
});
