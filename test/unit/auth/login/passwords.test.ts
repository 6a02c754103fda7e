import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { isFull } from "../../../support/depth.ts";

import { createPasswordHasher, isOutdated } from "../../../../src/auth/passwords/hash.ts";
import { requireGoodPassword, requirePossiblePassword } from "../../../../src/auth/passwords/rules.ts";
import { systemRandom } from "../../../../src/clock.ts";
import { AppError } from "../../../../src/errors.ts";
import { THE_SERVICE } from "../../../../src/work/caller.ts";

const PASSWORD = "a heron by the lake";

/** The number of computations that run now, and the most that ran at the same time. */
let running = 0;
let most = 0;
const { argon2 } = crypto;
const computed = vi.spyOn(crypto, "argon2").mockImplementation((algorithm, parameters, callback) => {
  most = Math.max(most, ++running);
  argon2(algorithm, parameters, (...result) => {
    running -= 1;
    callback(...result);
  });
});
beforeAll(syncBuiltinESMExports);
beforeEach(() => {
  computed.mockClear();
  most = 0;
});
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const hasher = createPasswordHasher(systemRandom);
const hash = (password = PASSWORD, like?: string) => hasher.hash(password, THE_SERVICE, like);
const compare = (password: string, hashes: (string | null)[]) => hasher.compare(password, hashes, THE_SERVICE);

describe("Password hashes", () => {
  it("A password is hashed by argon2id with 19 MiB, two passes, one lane and its own salt", async () => {
    const [one, other] = [await hash(), await hash()];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(one.split("$")[4]).not.toBe(other.split("$")[4]);
    expect(await compare(PASSWORD, [one])).toEqual([true]);
    expect(await compare("a stork by the lake", [one])).toEqual([false]);
  });

  it("A password has the same hash whether its letters are typed composed or decomposed", async () => {
    expect(await compare("Zu\u0308rich am Morgen", [await hash("Z\u00fcrich am Morgen")])).toEqual([true]);
  });

  it("A hash from the reference implementation's command is verified, and counts as outdated", async () => {
    const known = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
    expect(await compare("password", [known])).toEqual([true]);
    expect(await compare("Password", [known])).toEqual([false]);
    expect([isOutdated(known), isOutdated(await hash())]).toEqual([true, false]);
  });
});

describe("Comparing passwords", () => {
  it("A comparison computes one hash for an unknown address, a user without a password, or several users", async () => {
    const one = await hash();
    const same = await hash(PASSWORD, one);
    const other = await hash("a stork by the lake", one);
    const counts: unknown[] = [];
    for (const hashes of [[], [null], [null, null], [one], [one, same, other], [null, one, null]]) {
      computed.mockClear();
      counts.push([await compare(PASSWORD, hashes), computed.mock.calls.length]);
    }
    expect(counts).toEqual([
      [[], 1],
      [[false], 1],
      [[false, false], 1],
      [[true], 1],
      [[true, true, false], 1],
      [[false, true, false], 1],
    ]);
  });

  it.runIf(isFull)("People who logged in before are served before strangers, however many strangers wait", async () => {
    const { signal } = new AbortController();
    const order: string[] = [];
    const wait = async (tenant: string, isStranger: boolean): Promise<void> => {
      await hasher.compare(PASSWORD, [], { tenant, signal, isStranger });
      order.push(tenant);
    };
    const strangers = Array.from({ length: 30 }, (_, at) => wait(`login 192.0.2.${at}`, true));
    const known = wait("login of ada@example.com", false);
    await Promise.all([...strangers, known]);
    // One stranger's hash is being computed already, and another one may finish first.
    expect(order.indexOf("login of ada@example.com")).toBeLessThan(3);
    expect(most).toBe(2);
  });

  it("At most two hashes are computed at once, whoever asks", async () => {
    const kept = await hash();
    const callers = Array.from({ length: 8 }, (_, n) => ({ ...THE_SERVICE, tenant: `login ${n}` }));
    const answers = await Promise.all(callers.map((caller) => hasher.compare(PASSWORD, [kept], caller)));
    expect(answers).toEqual(callers.map(() => [true]));
    expect(most).toBe(2);
  });

  it("A caller with too many waiting comparisons is refused", async () => {
    const answers = await Promise.allSettled(Array.from({ length: 30 }, () => compare(PASSWORD, [])));
    const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as AppError] : []));
    expect([refused.length, refused[0]?.code]).toEqual([8, "rate_limited"]);
  });

  it("A comparison with a hash of unknown form fails instead of reporting a wrong password", async () => {
    await expect(compare(PASSWORD, ["$2b$10$abc"])).rejects.toThrow("unknown form");
  });
});

const faultOf = (password: string): unknown => {
  try {
    requireGoodPassword(password, "ada.lovelace@example.com");
    return null;
  } catch (error) {
    return error instanceof AppError ? error.message : error;
  }
};

describe("New passwords", () => {
  it.each([
    ["short", /at least 12 characters/],
    ["𝕡𝕒𝕤𝕤", /at least 12 characters/],
    ["x".repeat(1_001), /at most 1000 characters/],
    ["Ada.Lovelace@example.com", /must not be the e-mail address/],
    ["PASSWORD1234", /most common/],
    ["qwertyuiop12", /most common/],
    ["aaaaaaaaaaaaaaaa", /most common/],
    ["a\ud800bcdefghijklm", /not well-formed/],
  ])("The password %j is refused as a new password", (password, message) => {
    expect(faultOf(password)).toMatch(message);
  });

  it.each([PASSWORD, "x1".repeat(500), "            . ", "пароль для всех", "correct horse battery"])(
    "The password %j is accepted as a new password",
    (password) => {
      expect(faultOf(password)).toBeNull();
    },
  );

  it("A login refuses a password longer than the longest that can be set", () => {
    expect(() => requirePossiblePassword("x".repeat(1_000))).not.toThrow();
    expect(() => requirePossiblePassword("x".repeat(1_001))).toThrow("at most 1000");
  });
});
