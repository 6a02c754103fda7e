import { describe, expect, it } from "vitest";

import {
  MAX_TOKEN_LIFETIME_SECONDS,
  setAllowlist,
  setMaxTokenLifetime,
  setRateLimit,
} from "../../../src/auth/security-settings.ts";
import { openTestAuth, SOURCE } from "../../support/auth.ts";
import { DAY_MS, SECOND_MS } from "../../support/clock.ts";

const DAY_SECONDS = DAY_MS / SECOND_MS;

describe("The rate limit", () => {
  it("A new rate limit applies to the next request", async () => {
    const { createKey, enter, parts, origin } = await openTestAuth();
    const { token } = await createKey();
    expect(await setRateLimit(parts, origin, 10_000)).toMatchObject({ rateLimitPerMinute: 10_000 });
    expect((await enter(token)).security.rateLimitPerMinute).toBe(10_000);
  });

  it.each([0, 10_001, 1.5, -1, Number.NaN])("A rate limit of %d is refused", async (perMinute) => {
    const { parts, origin, trail } = await openTestAuth();
    await expect(setRateLimit(parts, origin, perMinute)).rejects.toMatchObject({ code: "bad_request" });
    expect(await trail()).toEqual([]);
  });
});

describe("The allowlist", () => {
  it("The allowlist keeps each network once, in its normal spelling", async () => {
    const { createKey, enter, parts, origin } = await openTestAuth();
    const { token } = await createKey();
    const given = ["10.1.2.3/8", "10.0.0.0/8", "2001:DB8:0:0::/32", "::ffff:192.0.2.0/120"];
    const allowlist = ["10.0.0.0/8", "2001:db8::/32", "192.0.2.0/24"];
    expect(await setAllowlist(parts, origin, given)).toMatchObject({ allowlist });
    expect((await enter(token)).security.allowlist).toEqual(allowlist);
    expect(await setAllowlist(parts, origin, [])).toMatchObject({ allowlist: [] });
  });

  it("An allowlist without the sender's own address is refused, except from the command line", async () => {
    const { createKey, parts, origin, requestBy, trail, store, workspace } = await openTestAuth();
    const by = await requestBy((await createKey({ scopes: ["admin"] })).token);
    await expect(setAllowlist(parts, by, ["198.51.100.0/24"])).rejects.toMatchObject({ code: "conflict" });
    expect((await trail()).map(({ action }) => action)).toEqual(["key_created"]);
    expect((await store.security.get(workspace.id)).allowlist).toEqual([]);
    await expect(setAllowlist(parts, by, ["198.51.100.0/24", `${SOURCE}/32`])).resolves.toBeDefined();
    await expect(setAllowlist(parts, by, [])).resolves.toBeDefined();
    await expect(setAllowlist(parts, origin, ["198.51.100.0/24"])).resolves.toBeDefined();
  });

  it("The allowlist holds CIDRs, at most 200", async () => {
    const { parts, origin } = await openTestAuth();
    const many = Array.from({ length: 201 }, (_, i) => `10.0.${i}.0/24`);
    await expect(setAllowlist(parts, origin, ["10.0.0.1"])).rejects.toMatchObject({ code: "bad_request" });
    await expect(setAllowlist(parts, origin, many)).rejects.toMatchObject({ code: "bad_request" });
    await expect(setAllowlist(parts, origin, many.slice(1))).resolves.toBeDefined();
  });
});

describe("The maximum token lifetime", () => {
  it("A new maximum lifetime ends older tokens at once, and raising it does not revive them", async () => {
    const { createKey, createClient, enter, clock, parts, origin } = await openTestAuth();
    const forever = await createKey();
    const long = await createKey({ expiresInDays: 90 });
    clock.advance(30 * DAY_MS);
    const young = await createKey();
    const access = await (await createClient("analyst")).issue();
    await setMaxTokenLifetime(parts, origin, 30 * DAY_SECONDS);
    for (const { token } of [forever, long]) {
      await expect(enter(token)).rejects.toMatchObject({ code: "unauthorized" });
    }
    await expect(enter(young.token)).resolves.toBeDefined();
    await expect(enter(access)).resolves.toBeDefined();

    await setMaxTokenLifetime(parts, origin, 365 * DAY_SECONDS);
    await setMaxTokenLifetime(parts, origin, null);
    for (const { token } of [forever, long]) {
      await expect(enter(token)).rejects.toMatchObject({ code: "unauthorized" });
    }
    clock.advance(30 * DAY_MS - 1);
    await expect(enter(young.token)).resolves.toBeDefined();
    clock.advance(1);
    await expect(enter(young.token)).rejects.toMatchObject({ code: "unauthorized" });
  });

  it("A maximum lifetime leaves tokens that end earlier as they are", async () => {
    const { createKey, parts, origin, store, workspace } = await openTestAuth();
    const { key } = await createKey({ expiresInDays: 30 });
    await setMaxTokenLifetime(parts, origin, 31 * DAY_SECONDS);
    expect(await store.keys.findById(workspace.id, key.id)).toEqual(key);
  });

  it("A maximum lifetime bounds new keys", async () => {
    const { createKey, parts, origin, clock } = await openTestAuth();
    await setMaxTokenLifetime(parts, origin, 10 * DAY_SECONDS);
    const end = new Date(clock.now().getTime() + 10 * DAY_MS).toISOString();
    expect((await createKey()).key.expiresAt).toBe(end);
    expect((await createKey({ expiresInDays: 30 })).key.expiresAt).toBe(end);
    await setMaxTokenLifetime(parts, origin, null);
    expect((await createKey()).key.expiresAt).toBeNull();
  });

  it("A maximum lifetime leaves the tokens of other workspaces unchanged", async () => {
    const { createKey, enter, clock, parts, origin, store, admin } = await openTestAuth();
    const { token } = await createKey();
    clock.advance(DAY_MS);
    const other = await store.workspaces.create({ name: "other", kind: "live" });
    await setMaxTokenLifetime(parts, { ...origin, workspace: other }, 60);
    expect((await enter(token)).actor.name).toBe(admin.email);
  });

  it.each([59, 0, 60.5, MAX_TOKEN_LIFETIME_SECONDS + 1])(
    "A maximum lifetime of %d seconds is refused",
    async (seconds) => {
      const { parts, origin } = await openTestAuth();
      await expect(setMaxTokenLifetime(parts, origin, seconds)).rejects.toMatchObject({ code: "bad_request" });
    },
  );
});

it("Each change of a security setting is in the audit trail once, with the old and the new value", async () => {
  const { parts, origin, trail, clock, admin } = await openTestAuth();
  const steps = [
    () => setRateLimit(parts, origin, 5),
    () => setAllowlist(parts, origin, ["10.0.0.0/8"]),
    () => setMaxTokenLifetime(parts, origin, 60),
  ];
  for (const step of steps) {
    clock.advance(1);
    await step();
    await step();
  }
  const by = { action: "setting_changed", actor: admin.email, source: "command line" };
  expect(await trail()).toEqual([
    { ...by, subject: "rateLimitPerMinute", details: { from: 1_000, to: 5 } },
    { ...by, subject: "allowlist", details: { from: [], to: ["10.0.0.0/8"] } },
    { ...by, subject: "maxTokenLifetimeSeconds", details: { from: null, to: 60 } },
  ]);
});
