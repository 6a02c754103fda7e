/**
 * A failed login takes the same steps, whatever is wrong. The steps are counted, because a stopwatch would only guess.
 */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

import { afterAll, beforeAll, expect, it, vi } from "vitest";

import { makeFirstAdminLink } from "../../../../src/auth/links/make-links.ts";
import { useLink } from "../../../../src/auth/links/use-link.ts";
import { logIn } from "../../../../src/auth/logins/log-in.ts";
import { createLoginParts, type LoginParts } from "../../../../src/auth/logins/login-parts.ts";
import { changeUser } from "../../../../src/auth/users.ts";
import { AppError } from "../../../../src/errors.ts";
import { createMemoryLimits } from "../../../../src/limits/memory/index.ts";
import { createLog } from "../../../../src/telemetry/log.ts";
import { parseSettings } from "../../../../src/settings/settings.ts";
import { THE_SERVICE } from "../../../../src/work/caller.ts";
import { openTestAuth } from "../../../support/auth.ts";
import { tokenOf } from "../../../support/page.ts";
import { present } from "../../../support/present.ts";

const hashes = vi.spyOn(crypto, "argon2");
beforeAll(syncBuiltinESMExports);
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

function openLogins({ parts }: Awaited<ReturnType<typeof openTestAuth>>): LoginParts {
  const counts = createMemoryLimits({ clock: parts.clock, blockMs: 60_000 });
  return createLoginParts(parts, {
    settings: parseSettings({}),
    secretKey: Buffer.alloc(32),
    counts,
    log: createLog("silent"),
  });
}

const PASSWORD = "a heron by the lake";
const browser = { source: "192.0.2.1", userAgent: "", cookie: null };

it("A failed login computes one hash, writes one event and gets the same answer, whatever is wrong", async () => {
  const auth = await openTestAuth();
  const parts = openLogins(auth);
  const join = async (email: string): Promise<void> => {
    const workspace = await auth.store.workspaces.create({ name: email.replaceAll(/\W/g, "-"), kind: "live" });
    const { url } = present(await makeFirstAdminLink(parts, workspace));
    await useLink(parts, { token: tokenOf(url), name: null, email, password: PASSWORD }, browser, THE_SERVICE);
  };
  await join("ada@example.com");
  const { user } = await auth.addUser("analyst", "disabled@example.com");
  await parts.store.logins.setPassword(auth.workspace.id, user.id, await parts.hasher.hash(PASSWORD, THE_SERVICE));
  await changeUser(auth.parts, auth.origin, { id: user.id, disabled: true });
  await auth.addUser("analyst", "keys-only@example.com");

  const stepsOf = async (email: string, password = "a wrong password") => {
    hashes.mockClear();
    const events = vi.spyOn(auth.store, "transaction");
    const error = await logIn(parts, { email, password, workspace: null, device: null }, browser, THE_SERVICE).catch(
      (thrown: unknown) => thrown,
    );
    const written = events.mock.calls.length;
    events.mockRestore();
    if (!(error instanceof AppError)) throw new Error("it was let in");
    return { hashes: hashes.mock.calls.length, written, code: error.code, message: error.message };
  };

  const unknown = await stepsOf("nobody@example.com");
  expect(unknown).toMatchObject({ hashes: 1, written: 1, code: "unauthorized" });
  expect(await stepsOf("ada@example.com")).toEqual(unknown);
  expect(await stepsOf("disabled@example.com", PASSWORD)).toEqual(unknown);
  expect(await stepsOf("keys-only@example.com")).toEqual(unknown);
  expect(await stepsOf("no address")).toEqual(unknown);
  hashes.mockClear();
  await logIn(
    parts,
    { email: "ada@example.com", password: PASSWORD, workspace: null, device: null },
    browser,
    THE_SERVICE,
  );
  expect(hashes).toHaveBeenCalledTimes(1);
});

it("A login replaces a hash that was made with weaker parameters", async () => {
  const auth = await openTestAuth();
  const parts = openLogins(auth);
  const old = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
  await auth.store.logins.setPassword(auth.workspace.id, auth.admin.id, old);
  const request = { email: auth.admin.email, password: "password", workspace: null, device: null };
  await logIn(parts, request, browser, THE_SERVICE);
  const [{ password } = { password: null }] = await auth.store.logins.findByAddress(auth.admin.email);
  expect(password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  await expect(logIn(parts, request, browser, THE_SERVICE)).resolves.toMatch(/^[\w-]{59}$/);
});

it("A login from a known browser queues under its e-mail address, not among all strangers", async () => {
  const auth = await openTestAuth();
  const parts = openLogins(auth);
  const compare = vi.spyOn(parts.hasher, "compare");
  const callerOf = async (device: string | null) => {
    const request = { email: "Ada@example.com", password: "a wrong password", workspace: null, device };
    await logIn(parts, request, browser, THE_SERVICE).catch(() => {});
    return compare.mock.lastCall?.[2];
  };
  expect(await callerOf(null)).toMatchObject({ tenant: THE_SERVICE.tenant, isStranger: true });
  const known = await callerOf(parts.devices.issue("Ada@example.com"));
  expect(known).toMatchObject({ tenant: "login of ada@example.com" });
  expect(known).not.toHaveProperty("isStranger");
});
