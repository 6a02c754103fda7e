import { describe, expect, it } from "vitest";

import { toFault } from "../../../../src/connectors/postgres/driver-faults.ts";

const INSIDE = "reader@10.1.2.3 in /srv/data";

function errorOf(code: string, message = INSIDE): Error {
  return Object.assign(new Error(message), { code });
}

describe("Connection errors", () => {
  it.each([
    ["28P01", "unauthorized", "password", false],
    ["3D000", "not_found", "databases", false],
    ["53300", "busy", "url", true],
    ["57P03", "unavailable", "url", true],
    ["ENOTFOUND", "unreachable", "url", true],
    ["ECONNREFUSED", "unreachable", "url", true],
    ["ETIMEDOUT", "unreachable", "url", true],
    ["CERT_HAS_EXPIRED", "bad_certificate", "ssl", false],
    ["SELF_SIGNED_CERT_IN_CHAIN", "bad_certificate", "ssl", false],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "bad_certificate", "ssl", false],
    ["ECONNRESET", "connection_lost", "url", true],
    ["57P01", "connection_lost", "url", true],
    ["40001", "conflict", "url", true],
    ["XX000", "unreadable", "url", false],
  ])("A connection error with the code %s becomes %s, and names the option %s", (code, name, option, retryable) => {
    const fault = toFault(errorOf(code), { encrypted: true, connected: false });
    expect(fault).toMatchObject({ code: name, option });
    expect(fault.retryable ?? false).toBe(retryable);
    expect(fault.why).not.toContain(INSIDE);
  });

  it("The error of a host with several addresses is that of the first attempt", () => {
    const error = new AggregateError([errorOf("ECONNREFUSED"), errorOf("ENETUNREACH")]);
    expect(toFault(error, { encrypted: false, connected: false }).why).toMatch(/nothing accepts connections/);
  });

  it("A connection error asks for encryption only if there was none", () => {
    const error = errorOf(
      "28000",
      'no pg_hba.conf entry for host "10.1.2.3", user "reader", database "shop", no encryption',
    );
    expect(toFault(error, { encrypted: false, connected: false })).toMatchObject({ option: "ssl" });
    expect(toFault(error, { encrypted: true, connected: false })).toMatchObject({ option: "user" });
    // The message is in another language, so its words are not recognised.
    const french = errorOf("28000", "le rôle « reader » n'existe pas");
    expect(toFault(french, { encrypted: true, connected: false }).why).toBe(
      "has no such user, or the user may not log in",
    );
  });

  it("A protocol error is explained by a pooler only while it connects", () => {
    const error = errorOf("08P01");
    expect(toFault(error, { encrypted: true, connected: false }).why).toMatch(/a pooler, such as PgBouncer, refuses/);
    expect(toFault(error, { encrypted: true, connected: true })).toMatchObject({ code: "connection_lost" });
  });

  it("A database without the right to connect and a catalog without the right to read have different errors", () => {
    const error = errorOf("42501");
    expect(toFault(error, { encrypted: true, connected: false }).why).toMatch(/grant it the right CONNECT/);
    expect(toFault(error, { encrypted: true, connected: true }).why).toMatch(/some of pg_catalog is closed/);
  });
});
