import fc from "fast-check";
import { pino } from "pino";
import { describe, expect, it } from "vitest";

import { createSourceFinder } from "../../../src/addresses/source-address.ts";

const PROXY = "10.0.0.1";

function open(trusted: readonly string[] = ["10.0.0.0/8", "fd00::/8"]) {
  const logged: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(line) });
  return { findSource: createSourceFinder(trusted, log), logged };
}

/** The header after this number of trusted proxies. */
function through(proxies: number): string {
  return ["203.0.113.7", ...Array<string>(proxies).fill("10.0.0.2")].join(", ");
}

describe("The source of a request", () => {
  it("The source is the connection's remote address, in its normal spelling", () => {
    const { findSource } = open();
    expect(findSource("203.0.113.7", [])).toBe("203.0.113.7");
    expect(findSource("::ffff:203.0.113.7", [])).toBe("203.0.113.7");
    expect(findSource("2001:DB8:0::1", [])).toBe("2001:db8::1");
    expect(findSource("fe80::1%eth0", [])).toBe("fe80::1");
    expect(findSource(PROXY, [])).toBe(PROXY);
    expect(findSource(undefined, ["203.0.113.7"])).toBe("unknown");
  });

  it("A header from an untrusted peer is ignored, and the log warns about it once", () => {
    const { findSource, logged } = open();
    for (const peer of ["198.51.100.1", "198.51.100.2", "2001:db8::1"]) {
      expect(findSource(peer, ["203.0.113.7"])).toBe(peer);
    }
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain("198.51.100.1");
    expect(open([]).findSource(PROXY, ["203.0.113.7"])).toBe(PROXY);
  });

  it.each([
    ["one address", ["203.0.113.7"], "203.0.113.7"],
    ["a mapped address", ["::ffff:203.0.113.7"], "203.0.113.7"],
    ["IPv6", ["2001:DB8::7"], "2001:db8::7"],
    ["an address that the client wrote itself, left of its own", ["192.0.2.1, 203.0.113.7"], "203.0.113.7"],
    ["trusted addresses that the client wrote itself", ["10.0.0.9, 203.0.113.7"], "203.0.113.7"],
    ["trusted proxies right of the address", ["203.0.113.7, 10.2.3.4, fd00::1"], "203.0.113.7"],
    ["several headers", ["192.0.2.1", "203.0.113.7", "10.0.0.2"], "203.0.113.7"],
    ["spaces and tabs", [" \t203.0.113.7 \t,  10.0.0.2 "], "203.0.113.7"],
    ["no spaces", ["203.0.113.7,10.0.0.2"], "203.0.113.7"],
    ["empty elements", [",203.0.113.7,, 10.0.0.2, ,"], "203.0.113.7"],
    ["a port", ["203.0.113.7:4711"], "203.0.113.7"],
    ["brackets", ["[2001:db8::7]"], "2001:db8::7"],
    ["brackets and a port", ["[2001:db8::7]:4711, [fd00::1]:80"], "2001:db8::7"],
    ["trusted addresses alone", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"],
    ["nothing", [""], PROXY],
    ["commas", [",,,"], PROXY],
    ["unknown", ["unknown"], PROXY],
    ["unknown left of a proxy", ["203.0.113.7, unknown, 10.0.0.2"], "10.0.0.2"],
    ["a hidden name", ["_hidden"], PROXY],
    ["garbage", ["203.0.113.7, <script>"], PROXY],
    ["a host name", ["localhost"], PROXY],
    ["an octal address", ["0313.0.113.7"], PROXY],
    ["a short address", ["203.7"], PROXY],
    ["quotes", ['"203.0.113.7"'], PROXY],
    ["a CIDR", ["203.0.113.0/24"], PROXY],
    ["brackets around IPv4", ["[203.0.113.7]"], PROXY],
    ["an open bracket", ["[2001:db8::7"], PROXY],
    ["a port that is not a number", ["203.0.113.7:http"], PROXY],
  ])("The source is read from a trusted proxy's header that holds %s", (_, headers, source) => {
    expect(open().findSource(PROXY, headers)).toBe(source);
  });

  it("The source is looked for in the last twenty addresses of the header only", () => {
    const { findSource } = open();
    expect(findSource(PROXY, [through(19)])).toBe("203.0.113.7");
    expect(findSource(PROXY, [through(20)])).toBe("10.0.0.2");
    expect(findSource(PROXY, [through(100_000)])).toBe("10.0.0.2");
    expect(findSource(PROXY, ["1".repeat(1_000_000)])).toBe(PROXY);
    expect(findSource(PROXY, ["[".repeat(1_000_000)])).toBe(PROXY);
  });

  it("The source is always an address, and the client's if the trusted proxy wrote that last", () => {
    const { findSource } = open();
    const headers = fc.array(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.constantFrom("[", "]:", ",", ":", "%")));
    fc.assert(
      fc.property(headers, (values) => {
        expect(findSource(PROXY, values)).toMatch(/^[\d.]+$|^[\da-f:]+$/);
        expect(findSource(PROXY, [...values, "203.0.113.7"])).toBe("203.0.113.7");
        expect(findSource("203.0.113.8", values)).toBe("203.0.113.8");
      }),
      { numRuns: 2_000 },
    );
  });
});
