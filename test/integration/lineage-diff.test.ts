/** How the sample's lineage differs between two times, as GraphQL, REST and the command line tell it. */
import { beforeAll, describe, expect, it } from "vitest";

import { openChangedShop } from "../support/changed-shop.ts";
import { runCommandHere } from "../support/command-line.ts";
import { editInFourWays, editShop } from "../support/edited-shop.ts";
import { at, type Json } from "../support/rest-client.ts";

const DIFF = `query ($id: ID, $connector: String, $direction: Direction, $depth: Int! = 10, $compareWith: String!, $asOf: String) {
  lineageDiff(id: $id, connector: $connector, direction: $direction, depth: $depth, compareWith: $compareWith, asOf: $asOf) {
    before after nodes { difference asset { fqn } details { kind name } }
    edges { difference from { fqn } to { fqn } before after } unchangedNodes unchangedEdges truncated } }`;
const FIRST_DAY = "2026-03-02";
const BEGINS = "2026-03-02T10:00:00.000Z";

function short(node: Json) {
  const parts = at(node, "details") as Json[];
  const details = parts.map((part) => `${String(at(part, "kind"))} ${String(at(part, "name"))}`);
  return [at(node, "difference"), at(node, "asset", "fqn"), details];
}

describe("the lineage at two times", () => {
  let shop: Awaited<ReturnType<typeof openChangedShop<null>>>;
  let idOf: (name: string) => string;
  beforeAll(async () => {
    shop = await openChangedShop(async () => null);
    const { data } = await shop.query(
      "{ assets(types: [table, model, dashboard, pipeline], first: 200) { nodes { id name } } metrics { nodes { id name } } }",
    );
    const all = ["assets", "metrics"].flatMap((key) => at(data, key, "nodes") as { id: string; name: string }[]);
    idOf = (name) => all.find((each) => each.name === name)?.id ?? "";
    return () => shop.close();
  });

  const diff = async (variables: Record<string, unknown>): Promise<Json> => {
    const { data, message } = await shop.query(DIFF, variables);
    expect(message).toBe("");
    return at(data, "lineageDiff");
  };
  it("Upstream of a metric, the models with other SQL are named with the columns that they lost", async () => {
    const found = await diff({ id: idOf("net_revenue"), direction: "upstream", compareWith: FIRST_DAY });
    expect((at(found, "nodes") as Json[]).map(short)).toEqual([
      ["changed", "shop.marts.fct_orders", ["sql_changed shop.marts.fct_orders"]],
      expect.arrayContaining(["changed", "shop.staging.stg_stripe__refunds"]),
    ]);
    expect(at(found, "edges")).toEqual([]);
    expect([at(found, "before"), at(found, "truncated")]).toEqual(["2026-03-02T23:59:59.999Z", false]);
  });

  it("A model that is gone is removed with its edges, from its connector and from what it read", async () => {
    const found = await diff({ connector: "shop", compareWith: FIRST_DAY });
    const removed = (at(found, "nodes") as Json[]).filter((node) => at(node, "difference") === "removed");
    expect(removed.map(short)).toEqual([["removed", "shop.marketing.crm_contacts", []]]);
    const edges = (at(found, "edges") as Json[]).filter(
      (edge) => at(edge, "to", "fqn") === "shop.marketing.crm_contacts",
    );
    expect(edges.length).toBeGreaterThan(0);
    for (const edge of edges) expect(edge).toMatchObject({ difference: "removed", after: [] });
    const source =
      String(at(edges[0] ?? null, "from", "fqn"))
        .split(".")
        .at(-1) ?? "";
    const own = await diff({ id: idOf(source), direction: "downstream", compareWith: FIRST_DAY });
    expect((at(own, "edges") as Json[]).map((edge) => at(edge, "to", "fqn"))).toContain("shop.marketing.crm_contacts");
  });

  it("Two times between which nothing changed have no difference, and the later time can be an earlier day", async () => {
    const now = await diff({ connector: "shop", compareWith: "30m" });
    expect([at(now, "nodes"), at(now, "edges")]).toEqual([[], []]);
    const then = await diff({ connector: "shop", compareWith: BEGINS, asOf: FIRST_DAY });
    expect([at(then, "nodes"), at(then, "edges"), at(then, "after")]).toEqual([[], [], "2026-03-02T23:59:59.999Z"]);
    const all = Number(at(then, "unchangedNodes"));
    expect(all).toBeGreaterThan(Number(at(now, "unchangedNodes")));
  });

  it("A duration longer than the history begins with it, and a day before it is refused with the first time", async () => {
    const found = await diff({ id: idOf("fct_orders"), compareWith: "900d" });
    expect(at(found, "before")).toBe(BEGINS);
    const { message } = await shop.query(DIFF, { id: idOf("fct_orders"), compareWith: "2026-03-01" });
    expect(message).toContain(`compareWith: is before the history begins: ask for ${BEGINS} or later`);
  });

  it("REST tells the same, and refuses what it cannot compare", async () => {
    const id = idOf("fct_orders");
    const { status, body } = await shop.ask(`/api/v1/lineage/diff?asset_id=${id}&compare_with=${FIRST_DAY}`);
    expect(status).toBe(200);
    const same = await diff({ id, depth: 3, compareWith: FIRST_DAY });
    expect((at(body, "nodes") as Json[]).map(short)).toEqual((at(same, "nodes") as Json[]).map(short));
    for (const [query, field] of [
      ["", "asset_id"],
      [`asset_id=${id}&connector=shop`, "asset_id"],
      [`asset_id=${id}&compare_with=2026-03-04&as_of=2026-03-03`, "compare_with"],
      [`asset_id=${id}&depth=11`, "depth"],
    ] as const) {
      const given = query.includes("compare_with") ? query : `${query}&compare_with=7d`;
      const refused = await shop.ask(`/api/v1/lineage/diff?${given}`);
      expect([query, refused.status, at(refused.body, "details", 0, "field")]).toEqual([query, 400, field]);
    }
    expect((await shop.ask(`/api/v1/lineage/diff?asset_id=unknown&compare_with=7d`)).status).toBe(404);
  });

  it("A connector is named by its name or id, and one that there is not is not found", async () => {
    const { body } = await shop.ask("/api/v1/lineage/diff?connector=shop&compare_with=7d");
    const { body: connectors } = await shop.ask("/api/v1/connectors");
    const id = String(at(connectors, "data", 0, "id") ?? at(connectors, "data", 0, "connector_id"));
    expect((await shop.ask(`/api/v1/lineage/diff?connector=${id}&compare_with=7d`)).body).toEqual(body);
    const changes = (await shop.ask("/api/v1/changes?connector=shop&limit=5")).body;
    expect(at((await shop.ask(`/api/v1/changes?connector=${id}&limit=5`)).body, "data")).toEqual(at(changes, "data"));
    for (const query of ["lineage/diff?connector=nope&compare_with=7d", "changes?connector=nope"])
      expect([query, (await shop.ask(`/api/v1/${query}`)).status]).toEqual([query, 404]);
  });

  it("The time of today's date is now", async () => {
    const { body } = await shop.ask(`/api/v1/lineage/diff?connector=shop&compare_with=7d&as_of=2026-03-05`);
    expect(at(body, "after")).toBe("2026-03-05T12:00:00.000Z");
  });

  it("A saved impact is laid over the catalog of now, or of the time that is asked for", async () => {
    const path = "/api/v1/lineage/impact/manifest?save=true";
    const { body } = await shop.ask(path, { method: "POST", body: editShop(editInFourWays) });
    const saved = String(at(body, "url")).split("/").at(-1);
    const found = async (asOf?: string): Promise<Json> => {
      const query = `query ($id: ID!, $saved: ID!, $asOf: String) {
        lineageDiff(id: $id, savedImpact: $saved, direction: downstream, depth: 1, asOf: $asOf) { after connector unchangedNodes } }`;
      const { data, message } = await shop.query(query, { id: idOf("dim_customers"), saved, asOf });
      expect(message).toBe("");
      return at(data, "lineageDiff");
    };
    const now = await found();
    expect(now).toMatchObject({ after: null, connector: "shop" });
    // The first day still has the model that is gone.
    expect(await found(FIRST_DAY)).toEqual({
      ...(now as object),
      unchangedNodes: Number(at(now, "unchangedNodes")) + 1,
    });
  });

  it("The command line prints what differs, and says between which times", async () => {
    const { url, token } = shop.running;
    const args = ["lineage", "shop.net_revenue", "--direction", "upstream", "--depth", "9", "--compare-with", "30d"];
    const { code, stdout, stderr } = await runCommandHere(args, { TRIBUTARY_URL: url, TRIBUTARY_TOKEN: token });
    expect([code, stdout.trim().split("\n").length]).toEqual([0, 3]);
    expect(stdout).toMatch(/changed +model +shop\.marts\.fct_orders +sql changed/);
    expect(stderr).toContain(`Between ${BEGINS} and 2026-03-05T12:00:00.000Z.`);
  });
});
