/** Requests that would cost more than permitted: what they are charged, and how they are refused. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { EdgeWrite, NodeWrite } from "../../../src/graph/catalog-writes.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { columnOf, edgeOf, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { present } from "../../support/present.ts";
import { at, createRestClient, type RestClient } from "../../support/rest-client.ts";

/** With these settings, a request may read 5,000 rows and answer 12,000 fields. */
const MAX_LINEAGE_NODES = "100";
const USERS = 90;
const COLUMNS = 30;

let app: RunningApp;
let ask: RestClient;
let hub: NodeWrite;

beforeAll(async () => {
  app = await startApp({ env: { MAX_LINEAGE_NODES, MAX_ANSWER_MB: "1" } });
  ask = createRestClient(app);
  const workspace = present(await app.app.metadata.workspaces.findByName("default"));
  const stamp = stampOf(workspace.id, "dbt", 1);
  hub = nodeOf(workspace.id, "model", "shop.marts.hub", { sql: `select 1 -- ${"x".repeat(50_000)}` });
  const users = Array.from({ length: USERS }, (_, i) => nodeOf(workspace.id, "model", `shop.marts.user_${i}`));
  const columns = users.flatMap((user) =>
    Array.from({ length: COLUMNS }, (_, i) => columnOf(workspace.id, user, `column_${i}`, i)),
  );
  const edges: EdgeWrite[] = users.map((user) => edgeOf(hub, user, "derives"));
  await app.app.graph.writeNodes(stamp, "all", [hub, ...users, ...columns]);
  await app.app.graph.writeEdges(stamp, "all", edges);
});
afterAll(() => app.close());

const question = (query: string, variables: object = {}) => ({
  method: "POST",
  body: JSON.stringify({ query, variables }),
});
const hubField = (selection: string): string => `{ asset(id: "${hub.id}") { ${selection} } }`;
const aliases = (count: number, field: string): string =>
  Array.from({ length: count }, (_, i) => `a${i}: ${field}`).join(" ");
/** A walk whose nodes are selected this many times. */
const walk = (count: number): string =>
  hubField(`lineage(direction: downstream, depth: 1) { ${aliases(count, "nodes { id name type depth __typename }")} }`);
/** Selects a field of each of many models. */
const lookUp = (what: string) => question(`{ assets(type: model, first: ${USERS}) { nodes { name ${what} } } }`);
/** A document with this number of walks. */
const nested = (count: number): string =>
  `{ assets(type: model, first: ${count}) { nodes { lineage(direction: upstream) { totalNodes } } } }`;
/** The rate limit of the key, as an answer's headers show it. */
const left = ({ headers }: { headers: Headers }): number => Number(headers.get("x-ratelimit-remaining"));

describe("a query beyond the budget of a request", () => {
  it("A query with too many bytes in its answer is refused before the answer is built", async () => {
    const { status, body } = await ask("/graphql", question(hubField(aliases(28, "sql"))));
    expect(status).toBe(400);
    expect(body).toEqual({
      errors: [
        {
          message: "This is too much for one request. Its answer has more than 1,048,576 bytes. Ask for less at once.",
          extensions: { code: "BAD_REQUEST", details: { reason: "budget", budget: "bytes", limit: 1_048_576 } },
        },
      ],
    });
    const fits = await ask("/graphql", question(hubField(aliases(18, "sql"))));
    expect(at(fits.body, "errors")).toBeUndefined();
    const sql = `select 1 -- ${"x".repeat(50_000)}`;
    expect(Array.from({ length: 18 }, (_, i) => at(fits.body, "data", "asset", `a${i}`) === sql)).not.toContain(false);
    // The answer is large enough to be written in slices.
    expect([fits.headers.get("transfer-encoding"), fits.headers.get("content-length")]).toEqual(["chunked", null]);
  });

  it("A query with too many fields in its lists is refused, whatever lengths were assumed", async () => {
    const { status, body } = await ask("/graphql", question(walk(28)));
    expect([status, at(body, "data"), at(body, "errors", 0, "message")]).toEqual([
      400,
      undefined,
      expect.stringContaining("too much for one request"),
    ]);
    expect(at(body, "errors", 0, "extensions", "details")).toEqual({
      reason: "budget",
      budget: "fields",
      limit: 12_000,
    });
    expect((await ask("/graphql", question(walk(26)))).status).toBe(200);
  });

  it("A query that reads too many rows is refused, and gets no part of an answer", async () => {
    const wide = `assets(type: model, first: ${USERS}) { nodes { columns { name } } }`;
    expect((await ask("/graphql", question(`{ ${wide} }`))).status).toBe(200);
    // Each text has another length, so that two of them are never taken for one.
    const neighbours = Array.from({ length: 28 }, (_, i) => `d${i}: downstream(first: ${63 + i}) { totalCount }`);
    const { status, body } = await ask(
      "/graphql",
      question(`{ ${wide} asset(id: "${hub.id}") { name ${neighbours.join(" ")} owner } }`),
    );
    expect([status, at(body, "data"), at(body, "errors", 0, "message")]).toEqual([
      400,
      undefined,
      expect.stringContaining("too much for one request"),
    ]);
    expect(at(body, "errors", 0, "extensions", "details")).toEqual({ reason: "budget", budget: "rows", limit: 5_000 });
  });
});

describe("fields that read something for each item of a list", () => {
  it("A field that reads something for each item counts as many fields, so that a list of thousands is refused", async () => {
    expect((await ask("/graphql", lookUp("upstream(first: 1) { totalCount }"))).status).toBe(200);
    const { status, body } = await ask(
      "/graphql",
      lookUp("upstream(first: 1) { totalCount } lineageSummary { upstreamCount }"),
    );
    expect([status, at(body, "errors", 0, "extensions", "details")]).toEqual([
      400,
      { reason: "budget", budget: "fields", limit: 12_000 },
    ]);
  });
});

describe("walks and impacts that are nested in an answer", () => {
  it("A nested walk or impact counts as a request of its own", async () => {
    const before = left(await ask("/graphql", question("{ viewer { workspace { name } } }")));
    expect(left(await ask("/graphql", question(nested(20))))).toBe(before - 21);
    const impact = hubField("impact(changeType: deprecate) { summary { totalAffected } }");
    expect(left(await ask("/graphql", question(impact)))).toBe(before - 21 - 2);
  });

  it("A nested walk is refused with all the others of its level if they exceed the rate limit", async () => {
    const token = await app.createToken(["read"]);
    const key = createRestClient({ url: app.url, token });
    const spend = question(`{ ${aliases(29, "viewer { workspace { name } }")} }`);
    while (left(await key("/graphql", spend)) >= 29 + 29);
    const before = left(await key("/graphql", question("{ viewer { workspace { name } } }")));
    const { status, body, headers } = await key("/graphql", question(nested(80)));
    expect([status, at(body, "data"), at(body, "errors", 0, "extensions", "code")]).toEqual([
      429,
      undefined,
      "RATE_LIMITED",
    ]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(left({ headers })).toBe(before - 1);
  });
});
