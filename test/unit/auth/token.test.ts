import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createToken, hashToken, isToken } from "../../../src/auth/token.ts";
import { systemRandom } from "../../../src/clock.ts";

describe("Tokens", () => {
  it("A token uses every letter and digit equally often", () => {
    const counts = new Map<string, number>();
    const tokens = 4_000;
    for (let i = 0; i < tokens; i++) {
      for (const character of createToken("live", systemRandom).slice(9)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    expect(counts.size).toBe(62);
    const expected = (tokens * 32) / 62;
    // The standard deviation is 45. A modulo over 256 would give the first eight letters 25% more often.
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(400);
  });

  it("A token skips the random bytes that would make its first letters more frequent", () => {
    const bytes = [255, 248, 247, 0, 61, 62];
    const random = (size: number) => Buffer.from(Array.from({ length: size }, (_, i) => bytes[i % bytes.length] ?? 0));
    expect(createToken("test", random)).toBe("svc_test_" + "9A9A".repeat(8));
  });

  it("A token matches its own hash, and no other token does", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (token, other) => {
        const kept = hashToken(token, systemRandom);
        expect(isToken(token, kept)).toBe(true);
        expect(isToken(other, kept)).toBe(other === token);
      }),
    );
  });

  it("Token hashes are salted: equal tokens have different hashes", () => {
    expect(hashToken("a", systemRandom).hash).not.toBe(hashToken("a", systemRandom).hash);
  });
});
