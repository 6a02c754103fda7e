import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { at, createRestClient, keysOf, type RestClient } from "../../support/rest-client.ts";

let running: RunningApp;
let ask: RestClient;
/** The lines of the service's log, parsed. */
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  running = await startApp({ overrides: { log } });
  ask = createRestClient(running);
});
afterAll(() => running.close());

describe("Parameters", () => {
  test.each([
    ["limit=0", "limit"],
    ["limit=201", "limit"],
    ["limit=05", "limit"],
    ["limit=1e2", "limit"],
    ["limit=-1", "limit"],
    ["limit=2.0", "limit"],
    ["limit=", "limit"],
    ["limit=%EF%BC%91", "limit"],
    ["limit=5&limit=5", "limit"],
    ["unowned=yes", "unowned"],
    ["unowned=true&owner=ada%40example.com", "unowned"],
    ["type=view", "type"],
    ["type=TABLE", "type"],
    ["type=", "type"],
    ["cursor=", "cursor"],
    ["Limit=5", "Limit"],
    ["__proto__=1", "__proto__"],
    [`search=${"x".repeat(257)}`, "search"],
    ["search=%", "search"],
    ["search=%ff", "search"],
    ["search=%ED%A0%80", "search"],
  ])("A parameter as in ?%s is refused", async (query, field) => {
    const { status, body } = await ask(`/api/v1/catalog/assets?${query}`);
    expect([status, body]).toMatchObject([400, { error: "bad_request", details: [{ field }] }]);
  });

  test.each(["depth=0", "depth=11", "depth=three"])("A parameter as in ?%s is refused in lineage", async (query) => {
    const { status, body } = await ask(`/api/v1/lineage/upstream?asset_id=x&${query}`);
    expect([status, at(body, "details", 0, "field")]).toEqual([400, "depth"]);
  });

  test("A missing parameter is named in the error", async () => {
    const { status, body } = await ask("/api/v1/lineage/downstream");
    expect([status, body]).toMatchObject([400, { details: [{ field: "asset_id", message: "is required" }] }]);
  });

  test("All faults of the parameters are reported at once", async () => {
    const { body } = await ask("/api/v1/catalog/assets?limit=0&type=view&colour=blue&search=%");
    const fields = (at(body, "details") as { field: string }[]).map((fault) => fault.field);
    expect(fields.toSorted()).toEqual(["colour", "limit", "search", "type"]);
  });

  test("Parameters at the ends of their ranges are accepted", async () => {
    for (const query of [
      "unowned=true",
      "unowned=false",
      "limit=1",
      "limit=200",
      `search=${"x".repeat(256)}`,
      "&limit=5&",
      "",
    ]) {
      const { status } = await ask(`/api/v1/catalog/assets?${query}`);
      expect(status).toBe(200);
    }
  });
});

describe("A path", () => {
  test("An unknown path is not found, with or without a token", async () => {
    for (const path of ["/nonsense", "/API/v1/metrics", "/health/"]) {
      const { status, body } = await ask(path, { authorization: null });
      expect([status, keysOf(body)]).toEqual([404, ["error", "message"]]);
    }
  });

  test("An unknown path under the API's prefix needs a token", async () => {
    for (const path of ["/api/v1", "/api/v1/", "/api/v1/nonsense", "/api/v1/Metrics"]) {
      expect((await ask(path, { authorization: null })).status).toBe(401);
      expect((await ask(path)).status).toBe(404);
    }
  });

  test("A path that cannot be decoded is refused", async () => {
    const { status, body } = await ask("/api/v1/catalog/assets/%ff");
    expect([status, at(body, "details", 0, "field")]).toEqual([400, "path"]);
  });
});

const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  ask("/api/v1/connectors/x/sync", { method: "POST", body, headers });

describe("A body", () => {
  test.each([
    ["another type", { "content-type": "text/plain" }],
    ["a form's type", { "content-type": "application/x-www-form-urlencoded" }],
    ["a malformed type", { "content-type": "json" }],
    ["another charset", { "content-type": "application/json; charset=latin1" }],
    ["a compression", { "content-encoding": "gzip" }],
  ])("A body of %s is refused", async (_what, headers) => {
    const { status, body } = await send("{}", headers);
    expect([status, at(body, "error")]).toEqual([415, "unsupported_media_type"]);
  });

  test("A body of more than 1 MiB is refused", async () => {
    const { status, body } = await send(`{"mode":"${"x".repeat(1024 * 1024)}"}`);
    expect([status, at(body, "error")]).toEqual([413, "payload_too_large"]);
  });

  test.each([
    ["cut short", '{"mode":'],
    ["no UTF-8", new Uint8Array([0x22, 0xff, 0x22])],
  ])("A body that is %s is refused", async (_what, text) => {
    const { status, body } = await send(text);
    expect([status, at(body, "error")]).toEqual([400, "bad_request"]);
  });

  test.each([
    ["a key", '{"mode":"full","mode":"full"}', "mode"],
    ["a key in other letters", String.raw`{"mode":"full","\u006dode":"full"}`, "mode"],
    ["an unknown key", '{"x":{},"x":"}"}', "x"],
    ["a key of an object inside", '{"x":[{"y{":1,"z":"\\"","y{":2}]}', "y{"],
    ["__proto__", '{"__proto__":1,"__proto__":1}', "__proto__"],
  ])("A body that has %s twice is refused", async (_what, text, field) => {
    const { status, body } = await send(text);
    expect([status, at(body, "details")]).toEqual([400, [{ field, message: "is given more than once" }]]);
  });

  test("A body may have the same key in several objects", async () => {
    const { body } = await send('{"x":{"x":[{"x":1},{"x":"x"}]}}');
    expect(at(body, "details")).toEqual([{ field: "x", message: "is not known here" }]);
  });

  test("A body that is null is refused, because it is no object", async () => {
    const { status, body } = await send("null");
    expect([status, at(body, "details")]).toEqual([400, [{ field: "body", message: "must be a JSON object" }]]);
  });

  test.each([
    ["that it is UTF-8", { "content-type": "application/json; charset=UTF-8" }],
    ["its type with white space around the parameters", { "content-type": "application/json ;\tcharset=utf-8" }],
    ["its charset in quotes", { "content-type": 'application/json; charset="utf-8"' }],
    ["its type in any case", { "content-type": "Application/JSON" }],
    ["that nothing was done to it", { "content-encoding": "Identity" }],
  ])("The headers of a body may state %s", async (_what, headers) => {
    const { status } = await send("{}", headers);
    expect(status).toBe(404);
  });
});

describe("All answers", () => {
  const id = "0190A1b2-0000-7000-8000-00000000000f";

  test("Every answer repeats a request id that is a UUID, even an error", async () => {
    for (const path of ["/health", "/api/v1/nonsense", "/docs"]) {
      const { headers } = await ask(path, { headers: { "x-request-id": id } });
      expect(headers.get("x-request-id")).toBe(id);
    }
  });

  test("Every answer to a request without a UUID as its id has a new one", async () => {
    const given = ["mine", `${id}, ${id}`, ""];
    const answers = await Promise.all(given.map((it) => ask("/nonsense", { headers: { "x-request-id": it } })));
    const ids = answers.map(({ headers }) => headers.get("x-request-id"));
    expect(new Set(ids).size).toBe(3);
    for (const fresh of ids) expect(fresh).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("Every answer has the headers that protect browsers", async () => {
    const { headers } = await ask("/health");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test("Every answer has one line in the log, without the query and the token", async () => {
    lines.length = 0;
    await ask("/api/v1/catalog/assets?search=payroll", { headers: { "x-request-id": id } });

    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ requestId: id, method: "GET", path: "/api/v1/catalog/assets", status: 200 });
    expect(JSON.stringify(lines)).not.toMatch(/payroll|svc_live_/);
  });
});

test("HEAD gets the same answer as GET, without the body", async () => {
  const { status, headers, body } = await ask("/api/v1/metrics", { method: "HEAD" });
  expect([status, body]).toEqual([200, ""]);
  expect(Number(headers.get("content-length"))).toBeGreaterThan(0);
});
