import { describe, expect, it } from "vitest";

import { requireOwnOrigin } from "../../../src/http/origin.ts";
import type { RestContext } from "../../../src/http/state.ts";

/** A request with these headers. The check reads nothing else of it. */
function request(host: string, origin: string): RestContext {
  const ctx = { req: { headersDistinct: { origin: [origin] } }, get: (name: string) => (name === "Host" ? host : "") };
  return ctx as unknown as RestContext;
}

function accepts(publicUrl: string, hasPublicUrl: boolean, host: string, origin: string): boolean {
  try {
    void requireOwnOrigin({ publicUrl: () => publicUrl, hasPublicUrl })(request(host, origin));
    return true;
  } catch {
    return false;
  }
}

describe("Origins", () => {
  it.each([
    ["http://localhost:8080", "localhost:8080", "http://localhost:8080", true],
    ["http://localhost:8080", "127.0.0.1:8080", "http://127.0.0.1:8080", true],
    ["http://localhost:8080", "192.168.1.5:8080", "http://192.168.1.5:8080", true],
    ["http://localhost:8080", "[fd00::5]:8080", "http://[fd00::5]:8080", true],
    ["http://localhost:8080", "192.168.1.5:8080", "http://192.168.1.6:8080", false],
    ["http://localhost:8080", "192.168.1.5:8080", "https://192.168.1.5:8080", false],
    ["http://localhost:8080", "evil.example:8080", "http://evil.example:8080", false],
    ["http://localhost:8080", "localhost:8080", "http://localhost:3000", false],
    ["http://localhost:8080", "localhost:8080", "null", false],
  ])(
    "Without a public URL, a service at %s gets a request for the host %s with the origin %s, and accepts it: %s",
    (own, host, origin, expected) => {
      expect(accepts(own, false, host, origin)).toBe(expected);
    },
  );

  it.each([
    ["https://catalog.example.com", "https://catalog.example.com", true],
    ["https://catalog.example.com", "http://catalog.example.com", false],
    ["https://catalog.example.com", "https://evil.catalog.example.com", false],
    ["https://catalog.example.com", "https://192.168.1.5", false],
    ["http://127.0.0.1:8080", "http://localhost:8080", true],
    ["http://127.0.0.1:8080", "https://localhost:8080", false],
  ])("With the public URL %s, a service accepts a request with the origin %s: %s", (own, origin, expected) => {
    expect(accepts(own, true, new URL(origin).host, origin)).toBe(expected);
  });
});
