/** Malformed headers. None of them may be accepted, and none may break the server. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createAuthenticator } from "../../src/auth/bearer.ts";
import { AppError } from "../../src/errors.ts";
import { type RunningApp, startApp } from "../support/app.ts";
import { openTestAuth } from "../support/auth.ts";
import { createTestClock, DAY_MS, type TestClock } from "../support/clock.ts";
import { sendRaw } from "../support/raw-http.ts";

const HEADERS = 100_000;
const RAW_REQUESTS = 3_000;
/** Fewer failures than a lockout needs. */
const RAW_REQUESTS_A_DAY = 15;

const PIECES = [
  "Bearer",
  "bearer",
  "Basic",
  " ",
  "  ",
  "\t",
  '"',
  "'",
  ",",
  ":",
  "=",
  "\0",
  "\r",
  "\n",
  "\r\n",
  "\r\n ",
];
const MORE_PIECES = [
  "svc_live_",
  "svc_at_",
  "svc_test_",
  "é",
  "\u{1f511}",
  "\ud800",
  "%00",
  "../",
  "' OR 1=1 --",
  "null",
];

/** Nearly valid: a valid header with a piece inserted, a part removed, or its case changed. */
function nearly(header: string): fc.Arbitrary<string> {
  const place = fc.nat({ max: header.length });
  const piece = fc.oneof(fc.constantFrom(...PIECES, ...MORE_PIECES), fc.string({ unit: "binary", maxLength: 3 }));
  return fc.oneof(
    fc.tuple(place, piece).map(([at, put]) => `${header.slice(0, at)}${put}${header.slice(at)}`),
    fc.tuple(place, place).map(([from, to]) => header.slice(0, from) + header.slice(to)),
    fc.tuple(place, piece).map(([at, put]) => `${header.slice(0, at)}${put}${header.slice(at + 1)}`),
    place.map((at) => header.slice(0, at) + header.slice(at).toUpperCase()),
    fc
      .array(fc.constantFrom(...PIECES, ...MORE_PIECES, header, header.slice(7)), { maxLength: 6 })
      .map((pieces) => pieces.join("")),
  );
}

test(`None of ${HEADERS} malformed headers is accepted, and each is refused with the right error`, async () => {
  const { parts, createKey, createClient } = await openTestAuth();
  const { authenticate } = createAuthenticator(parts);
  const key = `Bearer ${(await createKey({ scopes: ["read", "write", "admin"] })).token}`;
  const access = `Bearer ${await (await createClient("admin")).issue()}`;
  const header = fc.oneof(nearly(key), nearly(access), fc.string({ unit: "binary" }));
  const headers = fc
    .oneof(
      { weight: 9, arbitrary: header.map((one) => [one]) },
      { weight: 1, arbitrary: fc.array(header, { maxLength: 3 }) },
    )
    .filter(([first, ...more]) => more.length > 0 || (first !== key && first !== access));
  const outcomes: Record<string, number> = {};

  await fc.assert(
    fc.asyncProperty(headers, async (given) => {
      const outcome = await authenticate(given).then(
        () => "let in",
        (error: unknown) => (error instanceof AppError ? error.code : String(error)),
      );
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      expect(["unauthorized", "invalid_auth_header"]).toContain(outcome);
    }),
    { numRuns: HEADERS },
  );
  console.log("authorization fuzz:", outcomes);
});

describe("raw requests", () => {
  let clock: TestClock;
  let running: RunningApp;
  beforeAll(async () => {
    clock = createTestClock();
    running = await startApp({ overrides: { clock } });
  });
  afterAll(() => running.close());

  test(`None of ${RAW_REQUESTS} raw requests is accepted, line breaks included, and none breaks the server`, async () => {
    const valid = `Bearer ${running.token}`;
    const value = fc
      .oneof(nearly(valid), fc.string({ unit: "binary" }))
      .filter((text) => !isValidOnTheWire(text, valid));
    const statuses: Record<number, number> = {};
    let requests = 0;

    await fc.assert(
      fc.asyncProperty(value, async (authorization) => {
        // A day later, so that this address is not locked out.
        if (requests++ % RAW_REQUESTS_A_DAY === 0) clock.advance(DAY_MS);
        const bytes = Buffer.from(authorization).toString("latin1");
        const request = `GET /api/v1/metrics HTTP/1.1\r\nHost: x\r\nAuthorization: ${bytes}\r\nConnection: close\r\n\r\n`;
        const { status, body } = await sendRaw(running.url, request);
        statuses[status] = (statuses[status] ?? 0) + 1;
        expect([400, 401]).toContain(status);
        expect(JSON.parse(body)).toHaveProperty("error");
      }),
      { numRuns: RAW_REQUESTS },
    );
    console.log("authorization fuzz, raw:", statuses);
  });
});

/** White space around a value does not belong to it, and a line break begins another header (RFC 9112, section 5). */
function isValidOnTheWire(value: string, valid: string): boolean {
  const [first = ""] = value.split("\r\n", 1);
  return first.replaceAll(/^[ \t]+|[ \t]+$/g, "") === valid;
}
