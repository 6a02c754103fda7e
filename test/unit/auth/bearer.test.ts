import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseAuthorization } from "../../../src/auth/bearer.ts";
import { AppError } from "../../../src/errors.ts";

const TOKEN = "svc_live_0123456789abcdefghijABCDEFGHIJ01";

function codeOf(headers: readonly string[]): string {
  try {
    parseAuthorization(headers);
    return "accepted";
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

describe("The Authorization header", () => {
  it('An Authorization header is "Bearer", one space and the token', () => {
    expect(parseAuthorization([`Bearer ${TOKEN}`])).toBe(TOKEN);
    expect(parseAuthorization(["Bearer a.b_c~d+e/f-g=="])).toBe("a.b_c~d+e/f-g==");
  });

  it("A request without an Authorization header is unauthorized", () => {
    expect(codeOf([])).toBe("unauthorized");
  });

  it.each([
    "",
    "Bearer",
    "Bearer ",
    TOKEN,
    `bearer ${TOKEN}`,
    `BEARER ${TOKEN}`,
    `Bearer  ${TOKEN}`,
    `Bearer\t${TOKEN}`,
    ` Bearer ${TOKEN}`,
    `Bearer ${TOKEN} `,
    `Bearer "${TOKEN}"`,
    `"Bearer ${TOKEN}"`,
    `Bearer ${TOKEN}\n`,
    `Bearer ${TOKEN}\r\nX-Other: 1`,
    `Bearer ${TOKEN}, Bearer ${TOKEN}`,
    `Bearer a=b`,
    `Bearer =`,
    `Bearer é`,
    `Bearer: ${TOKEN}`,
    `Basic ${TOKEN}`,
  ])("The Authorization header %j is malformed", (header) => {
    expect(codeOf([header])).toBe("invalid_auth_header");
  });

  it("Two Authorization headers are malformed, even if they are equal", () => {
    expect(codeOf([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`])).toBe("invalid_auth_header");
  });

  it("Only a well-formed Bearer header is accepted, whatever text is sent", () => {
    const nearly = fc
      .array(fc.constantFrom("Bearer", "bearer", " ", "\t", "\n", '"', "=", TOKEN, "é", "\0", ","), { maxLength: 6 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(nearly, fc.string({ unit: "binary" })), (header) => {
        const rest = header.startsWith("Bearer ") ? header.slice(7) : "";
        const body = rest.replace(/=+$/, "");
        const accepted = body !== "" && !/[^A-Za-z0-9._~+/-]/.test(body);
        expect(codeOf([header])).toBe(accepted && !rest.includes("\n") ? "accepted" : "invalid_auth_header");
      }),
      { numRuns: 2_000 },
    );
  });

  // A pattern that backtracks would need some 10^12 steps for such a header, and run into the test's timeout.
  it.each([
    ["signs alone", `Bearer ${"=".repeat(1_000_000)}!`],
    ["letters alone", `Bearer ${"a".repeat(1_000_000)}!`],
    ["letters and signs", `Bearer ${"a".repeat(1_000_000)}${"=".repeat(1_000_000)}!`],
  ])("A very long malformed Authorization header is refused quickly: %s", (_what, header) => {
    expect(codeOf([header])).toBe("invalid_auth_header");
  });
});
