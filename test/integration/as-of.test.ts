/** Every answer that can be asked about an earlier time, compared with the answer that was given then. */
import { beforeAll, describe, expect, it } from "vitest";

import { loadOperations } from "../../src/graphql/operations.ts";
import { ROUTES } from "../../src/rest/routes.ts";
import { openChangedShop } from "../support/changed-shop.ts";
import { runCommandHere } from "../support/command-line.ts";
import { callTool, connectByHttp } from "../support/mcp.ts";
import { present } from "../support/present.ts";
import { at, type Json } from "../support/rest-client.ts";

interface Then {
  routes: Map<string, string>;
  queries: Record<string, Json>;
}

const LIMIT = { timeout: 300_000 };

/** The query of a page of GraphQL, with `AS_OF` where a root field can name the time. */
const QUERIES = {
  assets: `{ assets(first: 60AS_OF) { totalCount facets { types { type count } } nodes {
    id fqn description tags owner certification sql dataType ordinal createdAt updatedAt sourceConnector
    columnLineage { status reason } lineageSummary { upstreamCount downstreamCount } columns { name dataType } } } }`,
  columns: `{ assets(type: column, first: 60, schema: "shop.marts"AS_OF) { totalCount nodes { fqn dataType parent { fqn }
    upstream(first: 3) { totalCount edges { kinds uses { kind transformation expression } node { fqn } } } } } }`,
  neighbours: `{ assets(types: [model], first: 40AS_OF) { nodes { fqn
    near: upstream(first: 5) { totalCount nodes { fqn } }
    far: downstream(depth: 3, first: 5) { totalCount edges { hops node { fqn owner } } } } } }`,
  "by the last change": `{ assets(orderBy: updated, first: 20, owner: "ada@example.com"AS_OF) { nodes { fqn updatedAt } } }`,
  "by consumers": `{ assets(orderBy: downstream, first: 20AS_OF) { totalCount nodes { fqn } } }`,
  "an asset by name": `{ asset(fqn: "shop.marts.fct_orders"AS_OF) { sql
    sqlUses { reason columns { column { name } ranges { start end } } }
    lineage(direction: upstream, depth: 5) { totalNodes deeper nodes { name depth node { fqn } } edges { from to kind } } } }`,
  "an impact by name": `{ impact(fqn: "shop.staging.stg_stripe__refunds", changeType: asset_dropAS_OF) {
    summary { totalAffected } owners { owner summary { totalAffected } } completeness { complete asOf gapsTotal }
    affected { name risk reason path evidence { expression } } } }`,
  metrics: `{ metrics(first: 60AS_OF) { totalCount nodes { name certification certifiedBy certifiedAt
    definition { expression } sourceColumns { column { fqn } uses { expression } } audit { place action actor at note } } } }`,
};

const GONE = "{ changes(kinds: [asset_removed], first: 1) { nodes { asset { id fqn } } } }";

/** Before a closing parenthesis. */
const inQuery = (query: string, asOf?: string): string =>
  query.replaceAll("AS_OF", asOf === undefined ? "" : `, asOf: ${JSON.stringify(asOf)}`);

const inQueries = (asOf?: string) =>
  Object.fromEntries(Object.entries(QUERIES).map(([name, query]) => [name, inQuery(query, asOf)]));

describe("a question about an earlier time", LIMIT, () => {
  let shop: Awaited<ReturnType<typeof openChangedShop<Then>>>;
  beforeAll(async () => {
    shop = await openChangedShop(async ({ readRoutes, readQueries }) => ({
      routes: await readRoutes(),
      queries: await readQueries(inQueries()),
    }));
    return () => shop.close();
  });

  it("Every REST route answers as it did then, byte for byte but for its cursor", async () => {
    const { routes: then } = shop.firstDay;
    expect(new Set([...then.keys()].map((key) => key.split(" ")[0]))).toEqual(
      new Set(ROUTES.filter(takesTime).map(({ operation }) => operation)),
    );
    const now = await shop.readRoutes();
    expect([...then].filter(([key, text]) => now.get(key) !== text).length).toBeGreaterThan(10);
    const asked = await shop.readRoutes(shop.moment);
    for (const [key, text] of then) expect([key, asked.get(key)]).toEqual([key, text]);
  });

  it("Every GraphQL field answers as it did then", async () => {
    const now = await shop.readQueries(inQueries());
    const asked = await shop.readQueries(inQueries(shop.moment));
    for (const [name, then] of Object.entries(shop.firstDay.queries)) {
      expect([name, now[name]]).not.toEqual([name, then]);
      expect([name, asked[name]]).toEqual([name, then]);
    }
  });

  it("An agent and the command line are told the lineage of that day", async () => {
    // One of its readers is removed on the third day.
    const fqn = "shop.marts.dim_customers";
    const walked = { direction: "downstream", depth: 10 } as const;
    const { data } = await shop.query(`{ asset(fqn: "${fqn}") { id } }`);
    const client = await connectByHttp(shop.running);
    const told = async (asOf: string) =>
      at(await callTool(client, "walk_lineage", { id: at(data, "asset", "id"), ...walked, asOf }), "items");
    const { url, token } = shop.running;
    const printed = async (asOf: string) => {
      const args = ["lineage", fqn, "--direction", "downstream", "--depth", "10", "--as-of", asOf, "--json"];
      const { code, stdout, stderr } = await runCommandHere(args, { TRIBUTARY_URL: url, TRIBUTARY_TOKEN: token });
      return code === 0 ? stdout : stderr;
    };
    const [first, last] = ["2026-03-02", "2026-03-05"] as const;
    expect(await told(first)).not.toEqual(await told(last));
    expect(await printed(first)).not.toBe(await printed(last));
    const gone = at((await shop.query(GONE)).data, "changes", "nodes", 0, "asset");
    for (const named of [at(gone, "fqn"), at(gone, "id")].map(String)) {
      const args = ["lineage", named, "--direction", "upstream", "--as-of"];
      const env = { TRIBUTARY_URL: url, TRIBUTARY_TOKEN: token };
      const then = await runCommandHere([...args, first], env);
      expect([then.code, then.stdout]).toEqual([0, expect.stringContaining("shop.marts.dim_customers")]);
      expect(await runCommandHere([...args, last], env)).toMatchObject({ code: 1 });
    }
    await expect(told("2026-03-01")).rejects.toThrow("history begins");
    expect(await printed("2026-03-01")).toContain("history begins");
    await client.close();
  });

  it("A date means its end, and the date of today means now", async () => {
    const list = async (asOf: string) => at((await shop.ask(`/api/v1/metrics?limit=200${asOf}`)).body, "data");
    expect(await list("&as_of=2026-03-02")).toEqual(await list(`&as_of=${shop.moment}`));
    expect(await list("&as_of=2026-03-05")).toEqual(await list(""));
    expect(await list("&as_of=2026-03-05")).not.toEqual(await list("&as_of=2026-03-02"));
  });

  it.each([
    ["2026-03-06", "must not be in the future"],
    ["2026-03-05T12:00:01Z", "must not be in the future"],
    ["2026-02-30", "must be a date"],
    ["2026-03-02T10:00:00", "must be a date"],
    ["yesterday", "must be a date"],
    ["", "must be a date"],
    ["2026-03-01", "is before the history begins: ask for 2026-03-02T10:00:00.000Z or later"],
  ])("The time %j is refused by both APIs with the same message", async (time, message) => {
    const { status, body } = await shop.ask(`/api/v1/metrics?as_of=${encodeURIComponent(time)}`);
    const reply = await shop.query(`query ($time: String) { metrics(asOf: $time) { totalCount } }`, { time });
    expect([status, at(body, "details", 0, "field")]).toEqual([400, "as_of"]);
    expect(at(body, "details", 0, "message")).toMatch(new RegExp(`^${message}`));
    expect(reply.codes).toEqual(["BAD_REQUEST"]);
    expect(reply.message).toBe(`asOf: ${at(body, "details", 0, "message")}`);
  });

  it.each([
    ["two times", `{ a: assets(asOf: "2026-03-02") { totalCount } b: metrics(asOf: "2026-03-03") { totalCount } }`],
    ["a time and none", `{ a: assets(asOf: "2026-03-02") { totalCount } b: metrics { totalCount } }`],
    ["a field without a time", `{ assets(asOf: "2026-03-02") { totalCount } workspace { name } }`],
    [
      "two times in a fragment",
      `query { ...F } fragment F on Query { a: assets(asOf: "2026-03-02") { totalCount } b: metrics { totalCount } }`,
    ],
  ])("An operation with %s is refused before anything runs", async (_, query) => {
    const { data, codes, message } = await shop.query(query);
    expect([data, codes]).toEqual([null, ["BAD_REQUEST"]]);
    expect(message).toBe("asOf: must be the same time for all root fields of an operation");
  });

  it.each([
    [`{ a: assets(asOf: "2026-03-02") { totalCount } b: metrics(asOf: "2026-03-02T23:59:59.999Z") { totalCount } }`],
    [`{ __typename assets(asOf: "2026-03-02") { totalCount } }`],
    [`query ($no: Boolean = false) { assets(asOf: "2026-03-02") { totalCount } workspace @include(if: $no) { name } }`],
    [`query ($time: String = "2026-03-02") { assets(asOf: $time) { totalCount } }`],
    [`query ($time: String) { assets(asOf: $time) { totalCount } workspace { name } }`],
    [`{ assets(asOf: null) { totalCount } workspace { name } }`],
  ])("The operation %s is answered", async (query) => {
    expect((await shop.query(query)).codes).toEqual([]);
  });

  it.each([
    ["a search", `{ assets(search: "orders", asOf: "2026-03-02") { totalCount } }`],
    ["failing assets", `{ assets(failing: true, asOf: "2026-03-02") { totalCount } }`],
    ["the most used assets", `{ assets(orderBy: usage, asOf: "2026-03-02") { totalCount nodes { id } } }`],
    ["a metric's name", `{ metric(name: "net_revenue", asOf: "2026-03-02") { id } }`],
    ["checks", `{ assets(asOf: "2026-03-02") { nodes { checks { totalCount } } } }`],
    [
      "failing checks",
      `{ impact(fqn: "shop.marts.fct_orders", changeType: asset_drop, asOf: "2026-03-02") { checks { total } } }`,
    ],
    ["edits", `{ assets(asOf: "2026-03-02") { nodes { edits { by } } } }`],
    ["sources", `{ assets(asOf: "2026-03-02") { nodes { identity { sources { connector } } } } }`],
    ["near misses", `{ assets(asOf: "2026-03-02") { nodes { identity { nearMisses { id } } } } }`],
    ["counted values", `{ assets(asOf: "2026-03-02") { facets { tags { count } } } }`],
  ])("A question about %s at a time is refused, not answered about now", async (_, query) => {
    const { codes, message } = await shop.query(query);
    expect(new Set(codes)).toEqual(new Set(["BAD_REQUEST"]));
    expect(message).toMatch(/^asOf: cannot be given with /);
  });

  it("REST refuses a search at a time", async () => {
    const { status, body } = await shop.ask(`/api/v1/catalog/assets?search=orders&as_of=${shop.moment}`);
    expect([status, at(body, "details", 0, "field")]).toEqual([400, "as_of"]);
  });

  it("Pages of one time go on from each other, and a cursor of another time is refused", async () => {
    const list = (asOf: string, cursor: Json) =>
      shop.ask(
        `/api/v1/catalog/assets?limit=50${asOf && `&as_of=${asOf}`}${cursor ? `&cursor=${String(cursor)}` : ""}`,
      );
    const names: Json[] = [];
    let cursor: Json = null;
    do {
      const { body } = await list("2026-03-02", cursor);
      names.push(...(at(body, "data") as Json[]).map((each) => at(each, "fqn")));
      cursor = at(body, "pagination", "next_cursor") ?? null;
    } while (cursor !== null);
    const first = await list("2026-03-02", null);
    for (const other of ["", "2026-03-03", shop.moment]) {
      const refused = await list(other, at(first.body, "pagination", "next_cursor"));
      expect([refused.status, at(refused.body, "details", 0, "field")]).toEqual([400, "cursor"]);
    }
    expect(names).toContain("shop.staging.stg_stripe__refunds");
    expect(new Set(names).size).toBe(names.length);
    const { data } = await shop.query(`{ assets(asOf: "2026-03-02") { totalCount } }`);
    expect(names.length).toBe(at(data, "assets", "totalCount"));
  });

  it("A mutation and a subscription have no time", async () => {
    const cases = [
      `mutation { updateAsset(input: { id: "a" }, asOf: "2026-03-02") { asset { id } } }`,
      `subscription { syncProgress(id: "a", asOf: "2026-03-02") { status } }`,
    ];
    for (const query of cases) {
      const { data, message } = await shop.query(query);
      expect([data, message]).toEqual([null, expect.stringContaining(`Unknown argument "asOf"`)]);
    }
  });
});

/** Whether a route's document names a time. */
function takesTime({ operation }: (typeof ROUTES)[number]): boolean {
  const document = present(loadOperations().get(operation));
  return JSON.stringify(document).includes('"kind":"Variable","name":{"kind":"Name","value":"as_of"');
}
