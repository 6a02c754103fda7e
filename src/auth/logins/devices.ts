/**
 * Recognises browsers in which a person logged in with a password before, by a signed cookie. The cookie opens nothing.
 * A login with the cookie comes before those of strangers. It has a count of failures of its own, so the failures of
 * strangers do not lock it out. (OWASP, "Slow Down Online Guessing Attacks with Device Cookies")
 */
import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from "node:crypto";

import type { Clock, RandomBytes } from "../../clock.ts";

/** A browser is forgotten if the person does not log in there for this long: 90 days. */
export const DEVICE_SECONDS = 90 * 24 * 60 * 60;
const ID_BYTES = 12;

export type Devices = ReturnType<typeof createDevices>;

/** @param parts.secretKey the service's secret, from which the signing key is derived (HKDF, RFC 5869) */
export function createDevices(parts: { secretKey: Buffer; clock: Clock; random: RandomBytes }) {
  const { secretKey, clock, random } = parts;
  const key = createSecretKey(Buffer.from(hkdfSync("sha256", secretKey, "", "tributary devices", 32)));
  const nowSeconds = (): number => Math.floor(clock.now().getTime() / 1_000);
  const write = (id: string, expires: string, email: string): string => {
    const signed = JSON.stringify([id, expires, email.toLowerCase()]);
    return `${id}.${expires}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
  };

  return {
    /** @returns the value of a cookie for a browser in which the person with this address has just logged in */
    issue: (email: string) =>
      write(random(ID_BYTES).toString("base64url"), String(nowSeconds() + DEVICE_SECONDS), email),
    /** @returns the id of the browser; null if the cookie is none of ours, is too old, or is for another address */
    recognise(cookie: string | null, email: string): string | null {
      if (cookie === null) return null;
      const [id = "", expires = ""] = cookie.split(".");
      const [expected, given] = [Buffer.from(write(id, expires, email)), Buffer.from(cookie)];
      const isOurs = expected.length === given.length && timingSafeEqual(expected, given);
      return isOurs && Number(expires) > nowSeconds() ? id : null;
    },
  };
}
