import { describe, expect, it, vi } from "vitest";

import {
  csrfTokenOf,
  createSecretValue,
  isCsrfTokenOf,
  isSecretValue,
  lookupOf,
} from "../../../../src/auth/sessions/cookie-value.ts";
import { createSessionAuthenticator } from "../../../../src/auth/sessions/authenticate.ts";
import { openSession } from "../../../../src/auth/sessions/open.ts";
import { changeUser } from "../../../../src/auth/users.ts";
import { systemRandom } from "../../../../src/clock.ts";
import { openTestAuth, SOURCE } from "../../../support/auth.ts";
import { MINUTE_MS } from "../../../support/clock.ts";

const HOUR_MS = 60 * MINUTE_MS;
const lifetime = { idleMs: 12 * HOUR_MS, maxMs: 14 * 24 * HOUR_MS };
const log = { warn: vi.fn<() => void>() };
const refused = { code: "unauthorized" };

async function openTestSessions() {
  const auth = await openTestAuth();
  const { store, clock, parts } = auth;
  const { user } = await auth.addUser("engineer");
  const open = (cookie: string | null = null, userAgent = "Firefox"): Promise<string> =>
    store.transaction((nouns) =>
      openSession(
        { ...parts, lifetime },
        nouns,
        { user, sso: false, userIds: [user.id] },
        { source: SOURCE, userAgent, cookie },
      ),
    );
  const { authenticate } = createSessionAuthenticator({ store, clock, lifetime, log });
  return { ...auth, user, open, authenticate };
}

describe("Cookie values", () => {
  it("A cookie value has a 256-bit secret besides its look-up part, and only a salted hash of the secret is stored", () => {
    const { value, stored } = createSecretValue(systemRandom);
    expect(value).toMatch(/^[\w-]{59}$/);
    expect(Buffer.from(value.slice(16), "base64url")).toHaveLength(32);
    expect(stored.lookup).toBe(value.slice(0, 16));
    expect(JSON.stringify(stored)).not.toContain(value.slice(16));
    expect(isSecretValue(value, stored)).toBe(true);
    expect(isSecretValue(`${value.slice(0, 58)}${value.endsWith("A") ? "B" : "A"}`, stored)).toBe(false);
    expect(isSecretValue(value, null)).toBe(false);
    expect([lookupOf(""), lookupOf(`${value}x`), lookupOf(value.replace(/^./, "."))]).toEqual(["", "", ""]);
  });

  it("A CSRF token is derived from the whole cookie value", () => {
    const [one, other] = [createSecretValue(systemRandom).value, createSecretValue(systemRandom).value];
    expect(isCsrfTokenOf(one, csrfTokenOf(one))).toBe(true);
    for (const token of ["", "x", csrfTokenOf(other), `${csrfTokenOf(one)}x`, one]) {
      expect(isCsrfTokenOf(one, token)).toBe(false);
    }
  });
});

describe("Sessions", () => {
  it("A session acts as its user, with all scopes of the user's role", async () => {
    const { open, authenticate, user, workspace } = await openTestSessions();
    const principal = await authenticate(await open());
    expect(principal).toMatchObject({
      workspace: { id: workspace.id },
      actor: { kind: "user", id: user.id, name: user.email },
      role: "engineer",
      quotaId: user.id,
      scopes: new Set(["read", "write"]),
      session: { userAgent: "Firefox", source: SOURCE, sso: false },
    });
    expect(principal.tokenId).toBe(principal.session.id);
  });

  it("A session is refused with the same error when it is unknown, changed, ended, or its user is disabled", async () => {
    const { open, authenticate, user, parts, origin, store, workspace } = await openTestSessions();
    const cookie = await open();
    await expect(authenticate(`${cookie.slice(0, 16)}${"x".repeat(43)}`)).rejects.toMatchObject(refused);
    await expect(authenticate("x".repeat(59))).rejects.toMatchObject(refused);
    await expect(authenticate("")).rejects.toMatchObject(refused);
    await store.sessions.endAll(workspace.id);
    await expect(authenticate(cookie)).rejects.toMatchObject(refused);
    const other = await open();
    await changeUser(parts, origin, { id: user.id, disabled: true });
    await expect(authenticate(other)).rejects.toMatchObject(refused);
  });

  it("A session's use is recorded at most once in five minutes, and only if the request counts as use", async () => {
    const { open, authenticate, clock, store } = await openTestSessions();
    const cookie = await open();
    const seen = vi.spyOn(store.sessions, "see");
    for (let minutes = 0; minutes < 20; minutes++) {
      clock.advance(MINUTE_MS);
      await authenticate(cookie);
      await authenticate(cookie, false);
    }
    expect(seen).toHaveBeenCalledTimes(4);
    clock.advance(12 * HOUR_MS - 6 * MINUTE_MS);
    await authenticate(cookie, false);
    clock.advance(6 * MINUTE_MS);
    await expect(authenticate(cookie)).rejects.toMatchObject(refused);
  });

  it("A session that was used before the clock was set back continues, and ends after the usual idle time", async () => {
    const { open, authenticate, clock } = await openTestSessions();
    const cookie = await open();
    clock.advance(3 * HOUR_MS);
    await authenticate(cookie);
    clock.advance(-2 * HOUR_MS);
    await authenticate(cookie);
    clock.advance(lifetime.idleMs);
    await expect(authenticate(cookie)).rejects.toMatchObject(refused);
  });

  it("A session that begins in the future is refused, because it would last too long", async () => {
    const { open, authenticate, clock } = await openTestSessions();
    const cookie = await open();
    clock.advance(-MINUTE_MS);
    await authenticate(cookie);
    clock.advance(-HOUR_MS);
    await expect(authenticate(cookie)).rejects.toMatchObject(refused);
  });

  it("A session continues when its use cannot be written", async () => {
    const { open, authenticate, clock, store } = await openTestSessions();
    const cookie = await open();
    vi.spyOn(store.sessions, "see").mockRejectedValueOnce(new Error("the disk is full"));
    clock.advance(10 * MINUTE_MS);
    await expect(authenticate(cookie)).resolves.toBeDefined();
    expect(log.warn).toHaveBeenCalledTimes(1);
  });

  it("A new session deletes the user's expired sessions and the earlier session of the same browser", async () => {
    const { open, clock, store, workspace, user } = await openTestSessions();
    await open();
    clock.advance(13 * HOUR_MS);
    const own = await open();
    expect(await store.sessions.list(workspace.id, user.id)).toHaveLength(1);
    await open(own);
    await open(`${own.slice(0, 16)}${"x".repeat(43)}`);
    expect(await store.sessions.list(workspace.id, user.id)).toHaveLength(2);
  });

  it("A session keeps a user agent without control characters, and at most 200 characters of it", async () => {
    const { open, authenticate } = await openTestSessions();
    const agents: string[] = [];
    for (const agent of ["a\nb", "\u202Eevil", "x".repeat(5_000)]) {
      agents.push((await authenticate(await open(null, agent))).session.userAgent);
    }
    expect(agents).toEqual(["", "", `${"x".repeat(200)}…`]);
  });
});
