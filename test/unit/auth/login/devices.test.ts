import { describe, expect, it } from "vitest";

import { createDevices, DEVICE_SECONDS } from "../../../../src/auth/logins/devices.ts";
import { systemRandom } from "../../../../src/clock.ts";
import { createTestClock } from "../../../support/clock.ts";

const ADA = "ada@example.com";

function openDevices(secret = "a secret key of the service, which is long enough") {
  const clock = createTestClock();
  return { clock, ...createDevices({ secretKey: Buffer.from(secret), clock, random: systemRandom }) };
}

describe("Cookies of known browsers", () => {
  it("A device cookie is recognised for its own e-mail address in any case, and for no other address", () => {
    const { issue, recognise } = openDevices();
    const cookie = issue(ADA);
    const id = recognise(cookie, "Ada@Example.com");
    expect(id).toMatch(/^[\w-]{16}$/);
    expect([recognise(cookie, "bob@example.com"), recognise(cookie, ""), recognise(null, ADA)]).toEqual([
      null,
      null,
      null,
    ]);
    expect(recognise(issue(ADA), ADA)).not.toBe(id);
  });

  it("A device cookie reveals nothing about the person", () => {
    const cookie = openDevices().issue(ADA);
    expect(cookie).toMatch(/^[\w-]{16}\.\d+\.[\w-]{43}$/);
    expect(Buffer.from(cookie, "base64").toString()).not.toContain("ada");
  });

  it("A device cookie is refused when it has expired, was changed, or comes from another service", () => {
    const { clock, issue, recognise } = openDevices();
    const cookie = issue(ADA);
    const [id = "", expires = "", signature = ""] = cookie.split(".");
    for (const made of [
      "",
      id,
      `${id}.${Number(expires) + 1}.${signature}`,
      `${id.startsWith("x") ? "y" : "x"}${id.slice(1)}.${expires}.${signature}`,
      `${id}.${expires}.${signature.slice(1)}`,
      `${cookie}.`,
      `${cookie}=`,
      `${id}.${expires}.`,
    ]) {
      expect([made, recognise(made, ADA)]).toEqual([made, null]);
    }
    expect(openDevices("another secret key, which is long enough too").recognise(cookie, ADA)).toBeNull();
    clock.advance((DEVICE_SECONDS - 1) * 1_000);
    expect(recognise(cookie, ADA)).toBe(id);
    clock.advance(1_000);
    expect(recognise(cookie, ADA)).toBeNull();
  });
});
