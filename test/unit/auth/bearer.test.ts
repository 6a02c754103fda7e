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

describe("the Authorization header", () => {
  it("is exactly Bearer, one space and the token", () => {
    expect(parseAuthorization([`Bearer ${TOKEN}`])).toBe(TOKEN);
    expect(parseAuthorization(["Bearer a.b_c~d+e/f-g=="])).toBe("a.b_c~d+e/f-g==");
  });

  it("is missed where there is none", () => {
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
  ])("is malformed as %j", (header) => {
    expect(codeOf([header])).toBe("invalid_auth_header");
  });

  it("is malformed where it comes twice, even alike", () => {
    expect(codeOf([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`])).toBe("invalid_auth_header");
  });

  it("is accepted in no other form, whatever is sent", () => {
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

  // A pattern that tried every way to divide such a header would need some 10^12 steps, and not end before the test must.
  it.each([
    ["signs alone", `Bearer ${"=".repeat(1_000_000)}!`],
    ["letters alone", `Bearer ${"a".repeat(1_000_000)}!`],
    ["letters and signs", `Bearer ${"a".repeat(1_000_000)}${"=".repeat(1_000_000)}!`],
  ])("is malformed however long it is: %s", (_what, header) => {
    expect(codeOf([header])).toBe("invalid_auth_header");
  });
});
