import { isIPv6 } from "node:net";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { AppError } from "../../../src/errors.ts";
import { isAllowed, isWithin, parseCidr } from "../../../src/addresses/allowlist.ts";

describe("parseCidr", () => {
  it.each([
    ["10.1.2.3/8", "10.0.0.0/8"],
    ["203.0.113.7/32", "203.0.113.7/32"],
    ["203.0.113.7/0", "0.0.0.0/0"],
    ["192.168.129.1/17", "192.168.128.0/17"],
    ["2001:DB8:0:0:1:0:0:1/64", "2001:db8::/64"],
    ["2001:db8::1/128", "2001:db8::1/128"],
    ["ffff::1/0", "::/0"],
    ["::ffff:10.1.2.3/104", "10.0.0.0/8"],
    ["::ffff:a01:203/128", "10.1.2.3/32"],
    ["::ffff:0:0/96", "0.0.0.0/0"],
    ["::ffff:10.1.2.3/95", "::fffe:0:0/95"],
    ["::10.1.2.3/128", "::a01:203/128"],
    ["64:ff9b::10.1.2.3/104", "64:ff9b::a00:0/104"],
  ])("parseCidr reads %s as %s", (text, cidr) => {
    expect(parseCidr(text)).toBe(cidr);
    expect(parseCidr(cidr)).toBe(cidr);
  });

  it.each([
    "",
    "/",
    "10.0.0.1",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/8 ",
    " 10.0.0.0/8",
    "10.0.0.0/8/8",
    "10.0.0.0/1e1",
    "10.0.0/8",
    "010.0.0.0/8",
    "0x0a.0.0.0/8",
    "10.0.0.256/8",
    "10.0.0.0/255.0.0.0",
    "::/129",
    "fe80::1%eth0/64",
    "2001:db8::1::/64",
    "localhost/8",
    "[::1]/128",
    "１０.0.0.0/8",
    "1".repeat(100_000),
  ])("parseCidr refuses %j", (text) => {
    expect(() => parseCidr(text)).toThrow(AppError);
  });
});

describe("isAllowed", () => {
  it("isAllowed allows every address if the allowlist is empty", () => {
    expect(isAllowed("203.0.113.7", [])).toBe(true);
    expect(isAllowed("unknown", [])).toBe(true);
  });

  it.each([
    ["10.255.0.1", "10.0.0.0/8", true],
    ["11.0.0.1", "10.0.0.0/8", false],
    ["::ffff:10.255.0.1", "10.0.0.0/8", true],
    ["::ffff:aff:1", "10.0.0.0/8", true],
    ["::10.255.0.1", "10.0.0.0/8", false],
    ["::10.255.0.1", "::aff:1/128", true],
    ["10.255.0.1", "::ffff:10.0.0.0/104", true],
    ["203.0.113.7", "0.0.0.0/0", true],
    ["2001:db8::1", "0.0.0.0/0", false],
    ["2001:db8::1", "::/0", true],
    ["203.0.113.7", "::/0", false],
    ["2001:db8:0:1::1", "2001:db8::/64", false],
    ["2001:db8::ffff:1", "2001:db8::/64", true],
    ["fe80::1%eth0", "fe80::/10", true],
    ["unknown", "0.0.0.0/0", false],
    ["", "::/0", false],
  ])("isAllowed for %s within %s returns %s", (source, cidr, allowed) => {
    expect(isAllowed(source, [cidr])).toBe(allowed);
    expect(isAllowed(source, ["192.0.2.0/24", cidr])).toBe(allowed);
  });
});

const ipv4Bits = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n });
const ipv6Bits = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });

function toIpv4(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join(".");
}

function toIpv6(bits: bigint): string {
  return Array.from({ length: 8 }, (_, part) => ((bits >> BigInt(112 - 16 * part)) & 0xffffn).toString(16)).join(":");
}

describe("CIDR networks", () => {
  it.each([
    { name: "IPv4", size: 32n, bits: ipv4Bits, write: toIpv4 },
    { name: "IPv6", size: 128n, bits: ipv6Bits, write: toIpv6 },
  ])("A network of $name holds exactly the addresses that share its first bits", ({ size, bits, write }) => {
    const cases = fc.record({
      base: bits,
      length: fc.bigInt({ min: 0n, max: size }),
      /** The number of first bits that equal those of the base. */
      sameBits: fc.bigInt({ min: 0n, max: size }),
      rest: bits,
    });
    fc.assert(
      fc.property(cases, ({ base, length, sameBits, rest }) => {
        const free = size - sameBits;
        const other = ((base >> free) << free) | (rest & (2n ** free - 1n));
        const address = write(other);
        const cidr = `${write(base)}/${length}`;
        const expected = other >> (size - length) === base >> (size - length);
        // Addresses in ::ffff:0:0/96 count as IPv4, and are tested above.
        fc.pre(!isIPv6(address) || !address.startsWith("0:0:0:0:0:ffff:"));
        expect(isWithin(address, [cidr])).toBe(expected);
        expect(isWithin(address, [parseCidr(cidr)])).toBe(expected);
      }),
      { numRuns: 1_000 },
    );
  });
});
