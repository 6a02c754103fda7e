import { DatabaseSync } from "node:sqlite";

import { pino } from "pino";
import { expect, it } from "vitest";

import { createAuthenticator } from "../../../src/auth/bearer.ts";
import { createLastUsed } from "../../../src/auth/last-used.ts";
import type { TokenId } from "../../../src/ids.ts";
import { openTestAuth, type TestAuth } from "../../support/auth.ts";
import { MINUTE_MS, SECOND_MS } from "../../support/clock.ts";
import { pathOf } from "../../support/metadata-store.ts";

/** The last-used writer with timers that the test fires, and a way to see changes to the file. */
async function setUp(change: (auth: TestAuth) => Partial<TestAuth> = () => ({})) {
  const auth = await openTestAuth();
  const timers: { work: () => void; ms: number }[] = [];
  const warnings: string[] = [];
  const { store, clock, workspace } = { ...auth, ...change(auth) };
  const lastUsed = createLastUsed({
    store,
    clock,
    log: pino({ level: "warn" }, { write: (line: string) => void warnings.push(line) }),
    later: (work, ms) => void timers.push({ work, ms }),
  });
  const { authenticate } = createAuthenticator({ store, clock, noteUse: lastUsed.note });
  const watcher = new DatabaseSync(pathOf(auth.url));
  return {
    ...auth,
    timers,
    warnings,
    lastUsed,
    use: (token: string) => authenticate([`Bearer ${token}`]),
    usedAt: async (id: TokenId) => (await auth.store.keys.findById(workspace.id, id))?.lastUsedAt,
    /** This number changes with every write that another connection commits. */
    dataVersion: () => watcher.prepare("PRAGMA data_version").get()?.["data_version"],
    [Symbol.dispose]: () => watcher.close(),
  };
}

it("A key's last use is written at most once a minute, however often it is used", async () => {
  using service = await setUp();
  const { clock, createKey, dataVersion, lastUsed, timers, use, usedAt } = service;
  const [one, other] = [await createKey(), await createKey()];
  clock.advance(59 * SECOND_MS);
  const before = dataVersion();
  for (let i = 0; i < 100; i++) await use(i % 2 === 0 ? one.token : other.token);
  expect(dataVersion()).toBe(before);
  expect(timers.map(({ ms }) => ms)).toEqual([MINUTE_MS]);
  expect(await usedAt(one.key.id)).toBeNull();

  timers.pop()?.work();
  await lastUsed.flush();
  expect(dataVersion()).not.toBe(before);
  expect(await usedAt(one.key.id)).toBe("2026-01-01T00:00:00.000Z");
  expect(await usedAt(other.key.id)).toBe("2026-01-01T00:00:00.000Z");

  clock.advance(SECOND_MS);
  await use(one.token);
  expect(timers).toHaveLength(1);
  await lastUsed.flush();
  expect(await usedAt(one.key.id)).toBe("2026-01-01T00:01:00.000Z");
  expect(await usedAt(other.key.id)).toBe("2026-01-01T00:00:00.000Z");
});

it("A refused key is not recorded as used", async () => {
  using service = await setUp();
  const { createKey, lastUsed, store, timers, use, usedAt, workspace } = service;
  const { key, token } = await createKey();
  await store.keys.revoke(workspace.id, key.id);
  await expect(use(token)).rejects.toThrow("revoked");
  await lastUsed.flush();
  expect(timers).toEqual([]);
  expect(await usedAt(key.id)).toBeNull();
});

it("A replica that lags behind does not overwrite a later use", async () => {
  using service = await setUp();
  const { createKey, store, usedAt, clock } = service;
  const { key } = await createKey();
  clock.advance(5 * 60_000);
  await store.keys.touch(new Map([[key.id, "2026-01-01T00:05:00.000Z"]]));
  await store.keys.touch(new Map([[key.id, "2026-01-01T00:04:00.000Z"]]));
  expect(await usedAt(key.id)).toBe("2026-01-01T00:05:00.000Z");
});

it("A last use that cannot be written is logged, and written the next time", async () => {
  let away = true;
  using service = await setUp(({ store }) => ({
    store: {
      ...store,
      keys: { ...store.keys, touch: (uses) => (away ? Promise.reject(new Error("away")) : store.keys.touch(uses)) },
    },
  }));
  const { createKey, lastUsed, timers, use, usedAt, warnings } = service;
  const { key, token } = await createKey();
  await use(token);
  await lastUsed.flush();
  expect(warnings.join("")).toContain("away");
  expect(timers).toHaveLength(1);
  away = false;
  await lastUsed.flush();
  expect(await usedAt(key.id)).toBe("2026-01-01T00:00:00.000Z");
});
