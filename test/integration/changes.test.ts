/** What changed in the sample, as GraphQL, REST, an agent and the command line tell it. */
import { beforeAll, describe, expect, it } from "vitest";

import { openChangedShop } from "../support/changed-shop.ts";
import { runCommandHere } from "../support/command-line.ts";
import { callTool, connectByHttp } from "../support/mcp.ts";
import { at, type Json } from "../support/rest-client.ts";

const LIMIT = { timeout: 300_000 };
const CHANGES = `query ($since: String, $until: String, $about: ID, $upstreamOf: ID, $kinds: [CatalogChangeKind!], $first: Int!, $after: String) {
  changes(since: $since, until: $until, about: $about, upstreamOf: $upstreamOf, kinds: $kinds, first: $first, after: $after) {
    nodes { id at kind asset { id fqn node { id } } actor sync { id connector } field before after risk cause details { kind name } }
    pageInfo { hasNextPage endCursor } } }`;

const isOrders = (change: Json) => at(change, "asset", "fqn") === "shop.marts.fct_orders";

function short(change: Json) {
  return [at(change, "kind"), at(change, "asset", "fqn"), at(change, "risk")];
}

describe("what changed", LIMIT, () => {
  let shop: Awaited<ReturnType<typeof openChangedShop<null>>>;
  beforeAll(async () => {
    shop = await openChangedShop(async () => null);
    return () => shop.close();
  });

  const list = async (variables: Record<string, unknown> = {}): Promise<Json[]> => {
    const { data, message } = await shop.query(CHANGES, { first: 200, ...variables });
    expect(message).toBe("");
    return at(data, "changes", "nodes") as Json[];
  };
  const get = (path: string) => shop.ask(`/api/v1/changes${path}`);

  it("The first crawl is not among the changes, and people and a later sync are", async () => {
    const changes = await list();
    const by = changes.map((change) => at(change, "sync", "connector") ?? at(change, "actor"));
    expect(new Set(by)).toEqual(new Set(["admin@localhost.localdomain", "connector shop", "shop"]));
    const rows = changes.map(short);
    expect(rows).toContainEqual(["asset_removed", "shop.marketing.crm_contacts", "high"]);
    expect(rows).toContainEqual(["sql_changed", "shop.marts.fct_orders", "medium"]);
    expect(rows).toContainEqual(["certification_changed", "shop.net_revenue", null]);
    const edit = changes.find((change) => at(change, "kind") === "tags_changed");
    expect(edit).toMatchObject({ field: "tags", before: "daily, pii", after: "core", actor: by.at(-1), sync: null });
    const times = changes.map((change) => String(at(change, "at")));
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it("A certification that lapsed says what made it lapse, and other changes have no cause", async () => {
    const changes = await list();
    const lapsed = changes.find((change) => at(change, "asset", "fqn") === "shop.net_revenue");
    expect(lapsed).toMatchObject({ kind: "certification_changed", actor: "connector shop" });
    expect(at(lapsed ?? null, "cause")).toContain("odel `fct_orders` changed its SQL");
    expect(
      changes.filter((change) => at(change, "kind") === "sql_changed").map((change) => at(change, "cause")),
    ).toContain(null);
  });

  it("REST and an agent tell the same changes as GraphQL, in pages too", async () => {
    const ids = (await list()).map((change) => at(change, "id"));
    const paged: Json[] = [];
    let cursor: Json = null;
    do {
      const { status, body } = await get(`?limit=4${cursor === null ? "" : `&cursor=${String(cursor)}`}`);
      expect(status).toBe(200);
      paged.push(...(at(body, "data") as Json[]));
      cursor = at(body, "pagination", "next_cursor") ?? null;
    } while (cursor !== null);
    expect(paged.map((change) => at(change, "id"))).toEqual(ids);
    const client = await connectByHttp(shop.running);
    const told = at(await callTool(client, "get_changes", { limit: 200, maxCharacters: 100_000 }), "items") as Json[];
    await client.close();
    expect(told.map((change) => at(change, "id"))).toEqual(ids);
  });

  it("Changes can be asked for by asset, by lineage, by kind and by time", async () => {
    const all = await list();
    const idOf = (fqn: string) => at(all.find((change) => at(change, "asset", "fqn") === fqn) ?? null, "asset", "id");
    const about = await list({ about: idOf("shop.marts.fct_orders") });
    expect(about.map((change) => at(change, "kind"))).toEqual(["sql_changed", "owner_changed"]);
    const upstream = await list({ upstreamOf: idOf("shop.net_revenue") });
    expect(new Set(upstream.map((change) => at(change, "asset", "fqn")))).toEqual(
      new Set([
        "shop.marts.fct_orders",
        "shop.staging.stg_stripe__refunds",
        "shop.gross_revenue",
        "shop.refunded_amount",
      ]),
    );
    const owners = await list({ kinds: ["owner_changed"], since: "2026-03-03", until: "2026-03-03" });
    expect(owners.map(short)).toEqual([["owner_changed", "shop.marts.fct_orders", null]]);
    const { body } = await get("?kinds=owner_changed,tags_changed&since=2026-03-03&until=2026-03-03");
    expect((at(body, "data") as Json[]).map((change) => at(change, "kind"))).toEqual(["owner_changed", "tags_changed"]);
  });

  it("A duration is a span that ends now, and begins with the history if that is later", async () => {
    const begins = "2026-03-02T10:00:00.000Z";
    const page = async (query: string) => {
      const { body } = await get(query);
      return [at(body, "since"), at(body, "until"), (at(body, "data") as Json[]).length];
    };
    const until = "2026-03-05T12:00:00.000Z";
    const all = (await list()).length;
    expect(await page("?limit=200&since=9d")).toEqual([begins, until, all]);
    expect(await page("?limit=200")).toEqual([begins, until, all]);
    const since = "2026-03-04T06:00:00.000Z";
    const late = (await list({ since })).length;
    expect(await page("?limit=200&since=30h")).toEqual([since, until, late]);
    expect(late).toBeLessThan(all);
    const first = await get("?limit=1&since=30h");
    const second = await get(`?limit=1&since=30h&cursor=${String(at(first.body, "pagination", "next_cursor"))}`);
    expect([at(second.body, "since"), second.status]).toEqual([since, 200]);
  });

  it.each([
    ["?since=2026-03-04&until=2026-03-03", "until", "must not be before since"],
    ["?since=2026-03-01", "since", "is before the history begins: ask for 2026-03-02T10:00:00.000Z or later"],
    ["?until=2026-03-01", "until", "is before the history begins: ask for 2026-03-02T10:00:00.000Z or later"],
    ["?since=2026-03-06", "since", "must not be in the future"],
    ["?since=yesterday", "since", "must be a duration before now"],
    ["?kinds=asset_added,nonsense", "kinds", "must be one of asset_added"],
    ["?since=2026-03-03&since=2026-03-04", "since", ""],
    ["?nonsense=1", "nonsense", ""],
    ["?upstream_of=a&downstream_of=b", "downstream_of", "cannot be given with"],
    ["?cursor=nonsense", "cursor", "is not a cursor"],
  ])("The request %s is refused because of %s", async (path, field, message) => {
    const { status, body } = await get(path);
    expect([status, (at(body, "details", 0, "field") as string).replace(/\.\d+$/, "")]).toEqual([400, field]);
    expect(at(body, "details", 0, "message")).toContain(message);
  });

  it("A cursor of another query is refused, and an unknown root is not found", async () => {
    const { body } = await get("?limit=1");
    const refused = await get(`?limit=1&kinds=tags_changed&cursor=${String(at(body, "pagination", "next_cursor"))}`);
    expect([refused.status, at(refused.body, "details", 0, "field")]).toEqual([400, "cursor"]);
    expect((await get("?upstream_of=unknown")).status).toBe(404);
    const gone = (await list({ kinds: ["asset_removed"] }))[0] ?? null;
    expect(at(gone, "asset", "node")).toBe(null);
    expect(await list({ about: at(gone, "asset", "id"), kinds: ["asset_removed"] })).toEqual([gone]);
  });

  it("The command line prints a line for each change of an asset", async () => {
    const { url, token } = shop.running;
    const printed = async (...args: string[]) => {
      const all = ["changes", "shop.marts.fct_orders", ...args];
      return runCommandHere(all, { TRIBUTARY_URL: url, TRIBUTARY_TOKEN: token });
    };
    const { code, stdout } = await printed("--since", "2026-03-02T10:00:00Z");
    const lines = stdout.trim().split("\n");
    expect([code, lines.length]).toEqual([0, 3]);
    expect(lines[1]).toMatch(/sql changed +shop\.marts\.fct_orders +sync of shop/);
    expect(lines[2]).toMatch(
      /owner changed +shop\.marts\.fct_orders +admin@localhost\.localdomain .*→ ada@example\.com/,
    );
    const json = JSON.parse((await printed("--kind", "owner_changed", "--json")).stdout);
    expect(json).toMatchObject([{ kind: "owner_changed", after: "ada@example.com" }]);
    expect((await printed("--since", "7x")).stderr).toContain("must be a duration before now");
  });

  it("New SQL says which columns it computes otherwise, in both APIs", async () => {
    const rewritten = (await list({ kinds: ["sql_changed"] })).find(isOrders) ?? null;
    const rest = (at((await get("?kinds=sql_changed&limit=200")).body, "data") as Json[]).find(isOrders) ?? null;
    const expected = expect.arrayContaining([
      expect.objectContaining({ kind: "sql_changed", name: "gross_revenue_eur" }),
    ]);
    expect([at(rewritten, "details"), at(rest, "details")]).toEqual([expected, expected]);
  });

  it("The command line lists the changes of what is gone, by its full name and by its id", async () => {
    const { url, token } = shop.running;
    const print = (named: string) => runCommandHere(["changes", named], { TRIBUTARY_URL: url, TRIBUTARY_TOKEN: token });
    const gone = (await list({ kinds: ["asset_removed"] }))[0] ?? null;
    const byName = await print(String(at(gone, "asset", "fqn")).toUpperCase());
    expect([byName.code, byName.stdout]).toEqual([0, expect.stringMatching(/asset removed +shop\./)]);
    expect(await print(String(at(gone, "asset", "id")))).toEqual(byName);
    expect(await print("shop.marketing.nothing")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There is no asset or metric shop.marketing.nothing"),
    });
  });

  it("A null owner filters changes to those of what has no owner", async () => {
    const [last] = await list({ kinds: ["owner_changed"] });
    const edit = 'mutation ($id: ID!) { updateAsset(input: { id: $id, owner: "" }) { asset { fqn } } }';
    expect((await shop.query(edit, { id: at(last ?? null, "asset", "id") })).message).toBe("");
    const query = "{ changes(owner: null, first: 200) { nodes { kind after asset { id } } } }";
    const unowned = at((await shop.query(query)).data, "changes", "nodes") as Json[];
    expect(unowned[0]).toMatchObject({
      kind: "owner_changed",
      after: null,
      asset: { id: at(last ?? null, "asset", "id") },
    });
    expect(new Set(unowned.map((change) => at(change, "asset", "id")))).toEqual(
      new Set([at(last ?? null, "asset", "id")]),
    );
  });
});
