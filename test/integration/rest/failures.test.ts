import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createLoginParts } from "../../../src/auth/logins/login-parts.ts";
import { systemClock, systemCountdown, systemRandom } from "../../../src/clock.ts";
import { AppError, unavailable } from "../../../src/errors.ts";
import { loadOperations } from "../../../src/graphql/operations.ts";
import { createDocuments } from "../../../src/graphql/documents.ts";
import { schema } from "../../../src/graphql/schema.ts";
import { createMemoryLimits } from "../../../src/limits/memory/index.ts";
import { createSourceFinder } from "../../../src/addresses/source-address.ts";
import type { MetadataStore } from "../../../src/metadata/store.ts";
import { createHttpApp } from "../../../src/http/app.ts";
import { createRestApi } from "../../../src/rest/rest-api.ts";
import { createEventStreams } from "../../../src/http/answer/events.ts";
import { createLockoutGuard } from "../../../src/http/guard/lockout.ts";
import { createHttpServer } from "../../../src/http/server.ts";
import { parseSettings } from "../../../src/settings/settings.ts";
import { createEventLoopScheduler } from "../../../src/work/event-loop-scheduler.ts";
import { makePrincipal } from "../../support/principal.ts";
import { createRestClient, type RestClient } from "../../support/rest-client.ts";

/** The next result of the operations below the routes. */
let outcome: () => Promise<Record<string, unknown>>;
const lines: string[] = [];

const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
const findSource = createSourceFinder([], log);
const notAsked = () => Promise.reject(new Error("not asked here"));
const refusals = { noteRefusal: notAsked, noteSsoRefusal: notAsked, noteLockout: notAsked };
const counts = createMemoryLimits({ clock: systemClock, blockMs: 60_000 });
const lockout = createLockoutGuard({
  lockout: counts.lockouts.authentication,
  refusals,
  log,
});
const auth = { store: {} as MetadataStore, clock: systemClock, random: systemRandom };
const logins = createLoginParts(auth, { settings: parseSettings({}), secretKey: Buffer.alloc(32), counts, log });
const shared = { countdown: systemCountdown, turns: createEventLoopScheduler(), maxAnswerBytes: 1_000_000 };
const ways = { operations: loadOperations(), runner: { run: () => outcome() }, refusals };
const app = createHttpApp({
  ...shared,
  ...ways,
  rest: createRestApi({ ...ways, schema, version: "0.0.0" }),
  events: createEventStreams(shared),
  graphql: {
    handle: notAsked,
    refuse: () => ({}),
    graphiql: () => ({ toHtml: () => "", script: async () => "", style: async () => "" }),
    documents: createDocuments(schema),
  },
  findSource,
  requestSeconds: 60,
  lockout,
  authenticator: { authenticate: () => Promise.resolve(makePrincipal()) },
  limiter: counts.rateLimiter,
  health: notAsked,
  unsubscribe: { pathFor: () => "", end: () => Promise.resolve(false) },
  openFeed: () => Promise.resolve(null),
  watchers: null,
  issueToken: notAsked,
  sessions: { authenticate: notAsked },
  logins,
  sso: null,
  hasPublicUrl: false,
  ui: null,
  log,
  publicUrl: () => "http://localhost",
});
const settings = { trustedProxies: [], maxConnectionsPerAddress: 256, publicUrl: null };
const server = createHttpServer({ app, lockout, findSource, log, clock: systemClock, settings });
let ask: RestClient;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  ask = createRestClient({ url: `http://127.0.0.1:${port}`, token: "any" });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

/** Makes the operations below fail. */
const fail = (reason: unknown) => async (): Promise<never> => {
  throw reason;
};

test("An unexpected error is logged with the request's id, and is not shown", async () => {
  lines.length = 0;
  outcome = fail(new Error("password is hunter2"));
  const { status, body, headers } = await ask("/api/v1/metrics");

  expect([status, body]).toMatchObject([500, { error: "internal_error" }]);
  expect(JSON.stringify(body)).not.toContain("hunter2");
  expect(lines.join("")).toContain("hunter2");
  expect(lines.join("")).toContain(headers.get("x-request-id"));
});

test("If a store is down, the answer says when to try again", async () => {
  outcome = fail(unavailable("The graph store does not answer."));
  const { status, body, headers } = await ask("/api/v1/metrics");

  expect([status, body]).toEqual([503, { error: "unavailable", message: "The graph store does not answer." }]);
  expect(headers.get("retry-after")).toBe("5");
});

test("A fault of a GraphQL argument is reported with the REST parameter's name", async () => {
  const details = [{ field: "after", message: "is older than 24 hours" }];
  outcome = fail(new AppError("bad_request", "after: is older than 24 hours", { details }));
  const { body } = await ask("/api/v1/metrics");
  expect(body).toEqual({
    error: "bad_request",
    message: "cursor: is older than 24 hours",
    details: [{ field: "cursor", message: "is older than 24 hours" }],
  });
});

test("Error details that are no field faults are passed on unchanged", async () => {
  outcome = fail(new AppError("conflict", "Busy.", { details: { reason: "busy" } }));
  const { status, body } = await ask("/api/v1/metrics");
  expect([status, body]).toEqual([409, { error: "conflict", message: "Busy.", details: { reason: "busy" } }]);
});

describe("Health", () => {
  test.each([
    ["ok", 200],
    ["degraded", 200],
    ["error", 503],
  ])("Health that is %s answers %i, and the same body", async (word, status) => {
    outcome = () => Promise.resolve({ health: { status: word } });
    const answer = await ask("/health");
    expect([answer.status, answer.body]).toEqual([status, { status: word }]);
  });
});
