import fc from "fast-check";
import { expect, it } from "vitest";

import { toReturnPath } from "../../../../src/auth/sso/sso.ts";

const HERE = "https://catalog.example.com";

it.each([
  ["/", "/"],
  ["/assets/x?tab=lineage#up", "/assets/x?tab=lineage#up"],
  ["/a/../b", "/b"],
  ["/?return_to=//evil.example", "/?return_to=//evil.example"],
  [undefined, "/"],
  ["", "/"],
  ["assets", "/"],
  ["//evil.example", "/"],
  ["///evil.example", "/"],
  ["/\\evil.example", "/"],
  ["/\\/evil.example", "/"],
  ["/a\\..\\..\\evil", "/"],
  ["/\t/evil.example", "/"],
  ["/\n/evil.example", "/"],
  ["/.//evil.example", "/"],
  ["/a/..//evil.example", "/"],
  ["https://evil.example/", "/"],
  ["https:evil.example", "/"],
  ["javascript:alert(1)", "/"],
  ["/auth/logout", "/"],
  ["/login?error=x", "/"],
  [`/${"x".repeat(2_001)}`, "/"],
])("The return path %j leads to %s", (text, path) => {
  expect(toReturnPath(text)).toBe(path);
});

it("No return path leads to another site, as a browser reads it", () => {
  const piece = fc.constantFrom(
    "/",
    "\\",
    ".",
    "..",
    "evil.example",
    "@",
    ":",
    "https:",
    "\t",
    "\n",
    "%2f",
    "%5c",
    "?",
    "#",
    "a",
    " ",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const path = toReturnPath(pieces.join(""));
      expect(new URL(path, HERE).origin).toBe(HERE);
      expect(path).toMatch(/^\/(?![/\\])/);
    }),
    { numRuns: 2_000 },
  );
});
