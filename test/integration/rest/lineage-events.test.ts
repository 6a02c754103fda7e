/** Lineage events over HTTP, as the OpenLineage clients send them. */
import { gzipSync } from "node:zlib";

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { sendRaw } from "../../support/raw-http.ts";
import { at, createRestClient, type Json, type RestClient } from "../../support/rest-client.ts";
import {
  datasetEvent,
  facet,
  inputField,
  pg,
  readCorpus,
  runEvent,
  schemaFacet,
} from "../../support/lineage-events.ts";

let service: RunningApp;
/** The service with the workspace of one test. */
let running: RunningApp;
let ask: RestClient;
let graphql: GraphqlClient;

beforeAll(async () => {
  // The event is shown when it is answered, however slow the machine is.
  service = await startApp({ overrides: { countdown: () => () => {} } });
});
afterAll(() => service.close());
beforeEach(async () => {
  running = await service.openWorkspace();
  ask = createRestClient(running);
  graphql = createGraphqlClient(running);
});

const MIB = 1024 ** 2;

async function send(event: unknown, headers: Record<string, string> = {}, path = "/api/v1/lineage") {
  return ask(path, { method: "POST", body: JSON.stringify(event), headers });
}

/** Ids of the assets by their full names. */
async function idOf(fqn: string, type: string): Promise<string> {
  const { data } = await graphql("query Q($fqn: String!, $type: AssetType!) { asset(fqn: $fqn, type: $type) { id } }", {
    fqn,
    type,
  });
  return String(at(data, "asset", "id"));
}

async function walk(fqn: string, type: string, direction: "upstream" | "downstream"): Promise<string[]> {
  const { body } = await ask(`/api/v1/lineage/${direction}?asset_id=${await idOf(fqn, type)}&depth=10`);
  const nodes = at(body, "nodes");
  return (Array.isArray(nodes) ? nodes : []).map((node) => `${at(node, "type")} ${at(node, "name")}`).toSorted();
}

const io = { inputs: [pg("raw")], outputs: [pg("clean", schemaFacet("id"))] };

const plan = (bytes: number) => runEvent({ ...io, runFacets: { plan: facet({ text: "x".repeat(bytes) }) } });

describe("one event", () => {
  test("An event is shown when it is answered, with its job, its datasets and its lineage", async () => {
    const { status, body } = await send(runEvent({ ...io }));
    expect([status, at(body, "status")]).toEqual([201, "success"]);
    expect(await walk("shop.public.clean", "table", "upstream")).toEqual(["pipeline load", "table raw"]);
    const { body: clean } = await ask(`/api/v1/catalog/assets/${await idOf("shop.public.clean", "table")}`);
    expect(clean).toMatchObject({ source_connector: "openlineage", columns: [{ name: "id", type: "text" }] });
    const { body: list } = await ask("/api/v1/catalog/assets?limit=200");
    const names = (at(list, "data") as Json[]).map((asset) => at(asset, "fqn"));
    // `raw` was only read.
    expect(names.toSorted()).toEqual(["nightly.load", "shop.public.clean", "shop.public.clean.id", "shop.public.raw"]);
  });

  test("The first event creates the connector, once, and the audit trail says so", async () => {
    await Promise.all([1, 2, 3].map((run) => send(runEvent({ run, job: `job ${run}`, ...io }))));
    const { data } = await graphql(`
      {
        connectors(first: 10) {
          nodes {
            name
            type
            health
            lastSync {
              id
            }
            reception {
              waiting
              errorsTotal
            }
          }
        }
        auditEvents(first: 50) {
          nodes {
            action
          }
        }
      }
    `);
    expect(at(data, "connectors", "nodes")).toEqual([
      {
        name: "openlineage",
        type: "openlineage",
        health: "healthy",
        lastSync: null,
        reception: { waiting: 0, errorsTotal: 0 },
      },
    ]);
    const actions = (at(data, "auditEvents", "nodes") as Json[]).map((event) => at(event, "action"));
    expect(actions.filter((action) => action === "connector_added")).toHaveLength(1);
  });

  test("An invalid event is refused with every fault, and creates no connector", async () => {
    const { status, body } = await send({ ...runEvent(), eventTime: "soon", run: {} });
    expect([status, at(body, "error")]).toEqual([400, "bad_request"]);
    expect(at(body, "details")).toEqual([
      { field: "eventTime", message: "must be a time as RFC 3339 writes it, with its offset from UTC" },
      { field: "run.runId", message: "is required" },
    ]);
    expect(at((await ask("/api/v1/connectors")).body, "data")).toEqual([]);
  });

  test("An event may be gzipped, and its content type may name the character set", async () => {
    const packed = gzipSync(JSON.stringify(runEvent({ ...io })));
    const headers = { "content-type": "application/json; charset=UTF-8", "content-encoding": "gzip" };
    const { status } = await ask("/api/v1/lineage", { method: "POST", body: new Uint8Array(packed), headers });
    expect(status).toBe(201);
    expect(await walk("shop.public.raw", "table", "downstream")).toEqual(["pipeline load", "table clean"]);
    expect(await walk("shop.public.clean", "table", "upstream")).toEqual(["pipeline load", "table raw"]);
  });

  test("An event may be longer than other bodies, up to ten mebibytes after it is unpacked", async () => {
    expect((await send(plan(9 * MIB))).status).toBe(201);
    expect((await send(plan(10 * MIB))).status).toBe(413);
    const bomb = new Uint8Array(gzipSync(JSON.stringify(plan(20 * MIB))));
    const headers = { "content-encoding": "gzip" };
    expect((await ask("/api/v1/lineage", { method: "POST", body: bomb, headers })).status).toBe(413);
  });

  test.each([
    ["text/plain", "{}", 415],
    ["application/json", "{", 400],
    ["application/json", "[]", 400],
    ["application/json", "null", 400],
    ["application/json", '"\\ud800"', 400],
    ["application/json", `${"[".repeat(400_000)}${"]".repeat(400_000)}`, 400],
    ["application/json", `[${"1,".repeat(600_000)}1]`, 400],
    ["application/json", `{"run":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}`, 400],
  ])("A body of the type %s that is %.20s… is refused with %3$s", async (type, body, status) => {
    const answer = await ask("/api/v1/lineage", { method: "POST", body, headers: { "content-type": type } });
    expect(answer.status).toBe(status);
    expect((await send(runEvent({ ...io }))).status).toBe(201);
  });

  test("An event needs the scope write, and counts as one request", async () => {
    const reader = await running.createToken(["read"]);
    const refused = await ask("/api/v1/lineage", { method: "POST", body: "{}", authorization: `Bearer ${reader}` });
    expect([refused.status, at(refused.body, "error")]).toEqual([403, "forbidden"]);
    const before = Number((await ask("/api/v1/connectors")).headers.get("x-ratelimit-remaining"));
    const { headers } = await send(runEvent({ ...io }));
    expect(Number(headers.get("x-ratelimit-remaining"))).toBe(before - 1);
  });

  test("Hostile names in an event do no harm", async () => {
    const name = '"; DROP TABLE nodes; --\u0000\u202e<script>';
    const event = runEvent({
      job: "__proto__",
      inputs: [{ namespace: "constructor", name }],
      outputs: [pg("clean", { __proto__: null, ...schemaFacet("toString", "__proto__", "a".repeat(900)) })],
    });
    expect((await send(event)).status).toBe(201);
    expect(await walk("nightly.__proto__", "pipeline", "downstream")).toEqual(["table clean"]);
    const { data } = await graphql("{ connectors(first: 1) { nodes { health reception { errors { code } } } } }");
    expect(at(data, "connectors", "nodes", 0)).toMatchObject({ health: "degraded" });
  });
});

const batch = (events: unknown) => send(events, {}, "/api/v1/lineage/batch");

describe("the requests of the official clients, by the byte", () => {
  const text = JSON.stringify(runEvent({ ...io }));
  const packed = gzipSync(text).toString("latin1");
  const chunked = `${packed.length.toString(16)}\r\n${packed}\r\n0\r\n\r\n`;
  test.each([
    [
      "Python",
      ["Accept-Encoding: gzip, deflate", "Accept: */*", "Connection: keep-alive", "Content-Type: application/json"],
      [`Content-Length: ${text.length}`, "", text],
    ],
    [
      "Java",
      ["Accept: application/json; charset=UTF-8", "Content-Type: application/json; charset=UTF-8"],
      [
        `Content-Length: ${text.length}`,
        "Connection: keep-alive",
        "User-Agent: Apache-HttpClient/5.4 (Java/17)",
        "",
        text,
      ],
    ],
    [
      "Java, with compression",
      ["Accept: application/json; charset=UTF-8", "Content-Type: application/json; charset=UTF-8"],
      ["Content-Encoding: gzip", "Transfer-Encoding: chunked", "Connection: keep-alive", "", chunked],
    ],
  ])("The requests of the %s client are accepted byte for byte", async (_name, headers, [...rest]) => {
    const { host } = new URL(running.url);
    const head = [
      "POST /api/v1/lineage HTTP/1.1",
      `Host: ${host}`,
      ...headers,
      `Authorization: Bearer ${running.token}`,
    ];
    const { status, body } = await sendRaw(running.url, [...head, ...rest].join("\r\n"));
    // The Java client fails if an answer has no body.
    expect([status, JSON.parse(body).status]).toEqual([201, "success"]);
    expect(await walk("shop.public.clean", "table", "upstream")).toEqual(["pipeline load", "table raw"]);
  });
});

describe("a batch", () => {
  test("A batch of valid events is answered without a body", async () => {
    const { status, body } = await batch([runEvent({ ...io }), datasetEvent(pg("other", schemaFacet("a")))]);
    expect([status, body]).toEqual([204, ""]);
    expect(await walk("shop.public.clean", "table", "upstream")).toEqual(["pipeline load", "table raw"]);
    expect((await batch([])).status).toBe(204);
  });

  test("A batch with faulty events stores the others, and names the faulty ones", async () => {
    const { status, body } = await batch([{}, runEvent({ ...io }), 7]);
    expect([status, body]).toMatchObject([
      200,
      {
        status: "partial_success",
        summary: { received: 3, successful: 1, failed: 2, retriable: 0, non_retriable: 2 },
        failed_events: [
          { index: 0, retriable: false },
          { index: 2, retriable: false },
        ],
      },
    ]);
    expect(at(body, "failed_events", 0, "reason")).toContain("eventTime: is required");
    expect(await idOf("nightly.load", "pipeline")).not.toBe("undefined");
  });

  test("A batch must be a list with a bounded length", async () => {
    expect((await batch(runEvent())).status).toBe(400);
    expect((await batch(Array.from({ length: 1_001 }, () => runEvent()))).status).toBe(400);
  });

  test("A batch can be sent over GraphQL too", async () => {
    const mutation = `mutation M($events: [JSONObject!]) {
      receiveLineageEvents(input: { events: $events }) { receipt { status summary { successful } } } }`;
    const { data } = await graphql(mutation, { events: [runEvent({ ...io })] });
    expect(at(data, "receiveLineageEvents", "receipt")).toEqual({ status: "success", summary: { successful: 1 } });
  });
});

test("The events of Marquez's seed tell where the delivery times come from", async () => {
  const seed = readCorpus().find(({ name }) => name === "marquez-seed");
  await send(seed?.events ?? [], {}, "/api/v1/lineage/batch");
  const upstream = await walk("food_delivery.public.top_delivery_times", "table", "upstream");
  expect(upstream).toContain("pipeline etl_orders_7_days");
  expect(upstream).toContain("table public.orders");
  const id = await idOf("food_delivery.public.top_delivery_times.order_id", "column");
  const { body } = await ask(`/api/v1/lineage/upstream?asset_id=${id}&depth=10`);
  expect((at(body, "nodes") as Json[]).map((node) => at(node, "name"))).toContain("order_id");
});

const connector = async () => at((await ask("/api/v1/connectors")).body, "data", 0);

describe("a connector for events", () => {
  test("A connector that receives events has no source to sync, and says so", async () => {
    await send(runEvent({ ...io }));
    const id = String(at(await connector(), "connector_id"));
    const { status, body } = await ask(`/api/v1/connectors/${id}/sync`, { method: "POST" });
    expect([status, at(body, "error")]).toEqual([409, "conflict"]);
    expect(at(body, "message")).toBe("The connector openlineage has no source to read: others send events to it.");
    const schedule = `mutation { updateConnector(input: { id: "${id}", schedule: { cron: "0 6 * * *" } }) { connector { id } } }`;
    expect((await graphql(schedule)).codes).toEqual(["CONFLICT"]);
    const { body: shown } = await ask(`/api/v1/connectors/${id}/status`);
    expect(shown).toMatchObject({ connector_type: "openlineage", health: "healthy", last_sync: null });
  });

  test("A connector that receives events tells what it had to leave out", async () => {
    await send(runEvent({ outputs: [pg("clean", { ownership: facet({ owners: [{ name: 1 }] }) })] }));
    const { data } = await graphql(
      "{ connectors(first: 1) { nodes { health reception { errorsTotal errors { code severity message } } } } }",
    );
    expect(at(data, "connectors", "nodes", 0)).toEqual({
      health: "healthy",
      reception: {
        errorsTotal: 1,
        errors: [
          {
            code: "facet_ignored",
            severity: "warning",
            message:
              "A facet of nightly.load was left out, because it does not fit its schema: outputs.0.facets.ownership.owners.0.name: must be text.",
          },
        ],
      },
    });
  });

  test("A connector that receives events refuses them while it is disabled", async () => {
    await send(runEvent({ ...io }));
    const id = String(at(await connector(), "connector_id"));
    const change = (disabled: boolean) =>
      graphql(`mutation { updateConnector(input: { id: "${id}", disabled: ${disabled} }) { connector { id } } }`);
    await change(true);
    expect((await send(runEvent({ run: 2, at: 5, ...io }))).status).toBe(409);
    await change(false);
    expect((await send(runEvent({ run: 2, at: 5, ...io }))).status).toBe(201);
  });

  test("A removed connector takes all its events with it, and a later event creates it again", async () => {
    await send(runEvent({ ...io }));
    const id = String(at(await connector(), "connector_id"));
    await graphql(`mutation { removeConnector(input: { id: "${id}" }) { id } }`);
    expect(at((await ask("/api/v1/catalog/assets")).body, "data")).toEqual([]);
    await send(runEvent({ run: 2, at: 5, ...io }));
    expect(await walk("shop.public.clean", "table", "upstream")).toEqual(["pipeline load", "table raw"]);
    expect(at(await connector(), "connector_id")).not.toBe(id);
  });

  test("A connector reads its stored events again if its options change", async () => {
    await send(runEvent({ inputs: [{ namespace: "food", name: "public.raw" }], outputs: [pg("clean")] }));
    expect(await walk("shop.public.clean", "table", "upstream")).toEqual(["pipeline load", "table public.raw"]);
    const id = String(at(await connector(), "connector_id"));
    const options = { namespaces: "food=postgres/shop" };
    await graphql(
      "mutation M($id: ID!, $options: JSONObject!) { updateConnector(input: { id: $id, options: $options }) { connector { id } } }",
      { id, options },
    );
    // One look may have begun before the options changed.
    await running.app.receiver.look();
    await running.app.receiver.look();
    expect(await walk("shop.public.clean", "table", "upstream")).toEqual(["pipeline load", "table raw"]);
  });
});

const impactOf = async (column: string) => {
  const asset_id = await idOf(`shop.public.${column}`, "column");
  const { body } = await ask("/api/v1/lineage/impact", {
    method: "POST",
    body: JSON.stringify({ asset_id, change_type: "column_drop" }),
  });
  const affected = at(body, "affected");
  return (Array.isArray(affected) ? affected : []).map(
    (each) => `${at(each, "name")}: ${JSON.stringify(at(each, "evidence"))}`,
  );
};

test("A pipeline whose parts read for it says so as a gap, and what it writes has no gap", async () => {
  const runFacets = { parent: facet({ job: { namespace: "nightly", name: "app" } }) };
  await send(runEvent({ inputs: [pg("raw")], runFacets, job: "app.read" }));
  await send(runEvent({ outputs: [pg("clean")], runFacets, job: "app.write" }));
  const query =
    "query Q($id: ID!) { lineage(id: $id, direction: upstream) { completeness { gaps { reason } gapsTotal } } }";
  const completenessOf = async (fqn: string, type: string) => {
    const { data } = await graphql(query, { id: await idOf(fqn, type) });
    return at(data, "lineage", "completeness");
  };
  const reason = "its parts read for it: read";
  expect(await completenessOf("nightly.app", "pipeline")).toEqual({ gaps: [{ reason }], gapsTotal: 1 });
  expect(await completenessOf("nightly.app.write", "pipeline")).toEqual({ gaps: [], gapsTotal: 0 });
  expect(await completenessOf("shop.public.clean", "table")).toEqual({ gaps: [], gapsTotal: 0 });
});

test("An impact follows events along columns, and says how", async () => {
  const columnLineage = facet({
    fields: {
      total: {
        inputFields: [
          inputField("raw", "amount", { type: "DIRECT", subtype: "AGGREGATION", description: "sum(amount)" }),
        ],
      },
    },
  });
  await send(
    runEvent({
      inputs: [pg("raw", schemaFacet("amount", "unused"))],
      outputs: [pg("clean", { ...schemaFacet("total"), columnLineage })],
    }),
  );
  const evidence = '[{"kind":"DIRECT","level":"column","transformation":"AGGREGATION","expression":"sum(amount)"}]';
  expect(await impactOf("raw.amount")).toContain(`total: ${evidence}`);
  // The job tells all that it uses, so it is affected as its output is.
  expect(await impactOf("raw.amount")).toContain(
    'load: [{"kind":"DIRECT","level":"column","transformation":"AGGREGATION","expression":""}]',
  );
  expect(await impactOf("raw.unused")).toEqual([]);
});

/** An item of `impactOf` with weak evidence. */
const unclear = (name: string): unknown => expect.stringContaining(`${name}: [{"kind":"UNKNOWN","level":"asset"`);

test("A column that an event does not name may be filtered, joined or grouped by, if the event tells no transformation", async () => {
  const columnLineage = facet({ fields: { a: { inputFields: [inputField("raw", "a")] } } });
  await send(
    runEvent({
      inputs: [pg("raw", schemaFacet("a", "flag")), pg("other", schemaFacet("k"))],
      outputs: [pg("clean", { ...schemaFacet("a", "n"), columnLineage })],
    }),
  );
  const reason = "the events do not tell which columns are filtered, joined or grouped by";
  expect(await lineageOf("shop.public.clean")).toEqual({ status: "partial", reason });
  expect(await lineageOf("shop.public.clean.a")).toEqual({ status: "partial", reason });
  expect(await lineageOf("shop.public.clean.n")).toEqual({ status: "unknown", reason });
  expect(await lineageOf("nightly.load")).toEqual({ status: "unknown", reason });
  for (const column of ["raw.flag", "other.k"])
    expect((await impactOf(column)).toSorted()).toEqual([unclear("clean"), unclear("load")]);
  expect(await impactOf("raw.a")).toContainEqual(expect.stringMatching(/^clean: .*"kind":"DIRECT","level":"column"/));
});

test("A column that only the SQL of a job names reaches the job and its table, and a column that it does not name reaches nothing", async () => {
  const columnLineage = facet({ fields: { a: { inputFields: [inputField("raw", "a")] } } });
  const query = "insert into clean (a, n) select a, count(*) as n from raw join other using (k) where flag group by a";
  const event = runEvent({
    inputs: [pg("raw", schemaFacet("a", "k", "flag", "unused")), pg("other", schemaFacet("k"))],
    outputs: [pg("clean", { ...schemaFacet("a", "n"), columnLineage })],
    jobFacets: { sql: facet({ query }) },
  });
  await send(event);
  for (const asset of ["nightly.load", "shop.public.clean", "shop.public.clean.n"])
    expect(await lineageOf(asset)).toEqual({ status: "known", reason: null });
  const filtered = '[{"kind":"INDIRECT","level":"column","transformation":"FILTER","expression"';
  expect(await impactOf("raw.flag")).toEqual(
    ["a", "clean", "load", "n"].map(() => expect.stringContaining(`: ${filtered}`)),
  );
  expect(await impactOf("other.k")).toHaveLength(4);
  expect(await impactOf("raw.unused")).toEqual([]);
});

async function lineageOf(fqn: string): Promise<Json> {
  const query = "query Q($fqn: String!) { asset(fqn: $fqn) { columnLineage { status reason } } }";
  return at((await graphql(query, { fqn })).data, "asset", "columnLineage");
}

test("If only one of two jobs that write a table tells its lineage, the reason says so", async () => {
  const copied = inputField("raw", "amount", { type: "DIRECT", subtype: "IDENTITY" });
  const columnLineage = facet({ fields: { total: { inputFields: [copied] } } });
  const outputs = [pg("clean", { ...schemaFacet("total"), columnLineage })];
  await send(runEvent({ job: "one", inputs: [pg("raw")], outputs }));
  expect(await lineageOf("shop.public.clean")).toEqual({ status: "known", reason: null });
  await send(runEvent({ job: "other", run: 2, outputs: [pg("clean")] }));
  const unknown = { status: "unknown", reason: "a job that writes it tells no lineage of columns" };
  expect(await lineageOf("shop.public.clean")).toEqual(unknown);
  expect(await lineageOf("shop.public.clean.total")).toEqual(unknown);
});

test("Two workspaces keep their events apart", async () => {
  const { metadata } = running.app;
  const other = await metadata.workspaces.create({ name: "other", kind: "live" });
  await metadata.users.create({ workspaceId: other.id, email: "admin@other.example", role: "admin" });
  const token = await running.createToken(["read", "write"], other);
  await send(runEvent({ ...io }));
  const askOther = createRestClient({ url: running.url, token });
  expect(at((await askOther("/api/v1/catalog/assets")).body, "data")).toEqual([]);
  expect(at((await askOther("/api/v1/connectors")).body, "data")).toEqual([]);
  await askOther("/api/v1/lineage", {
    method: "POST",
    body: JSON.stringify(runEvent({ at: 9, outputs: [pg("clean")] })),
  });
  expect(await walk("shop.public.clean", "table", "upstream")).toEqual(["pipeline load", "table raw"]);
});
