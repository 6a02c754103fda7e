/** How the lineage of an asset would differ with the manifest of a pull request, by its saved answer. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../support/app.ts";
import { runCommandHere } from "../support/command-line.ts";
import { editInFourWays, editShop, moveModel, type ShopManifest } from "../support/edited-shop.ts";
import { createGraphqlClient, type GraphqlClient } from "../support/graphql-client.ts";
import { at, createRestClient, type Json } from "../support/rest-client.ts";

const DIFF = `query ($id: ID, $connector: String, $direction: Direction, $depth: Int! = 3, $compareWith: String, $saved: ID) {
  lineageDiff(id: $id, connector: $connector, direction: $direction, depth: $depth, compareWith: $compareWith, savedImpact: $saved) {
    before after connector unchangedNodes unchangedEdges truncated
    nodes { difference asset { id fqn } details { kind name } }
    edges { difference from { fqn } to { fqn } before after } } }`;

let app: RunningApp;
let ask: GraphqlClient;
beforeAll(async () => {
  app = await startApp({ sample: true });
  ask = createGraphqlClient(app);
});
afterAll(() => app.close());

async function idOf(fqn: string): Promise<string> {
  const { data } = await ask("query ($fqn: String!) { asset(fqn: $fqn) { id } }", { fqn });
  return String(at(data, "asset", "id"));
}

/** Saves the answer on an edited copy of the sample. */
async function save(edit: (manifest: ShopManifest) => void): Promise<string> {
  const path = "/api/v1/lineage/impact/manifest?connector=shop&save=true";
  const { body } = await createRestClient(app)(path, { method: "POST", body: editShop(edit) });
  return String(at(body, "url")).split("/").at(-1) ?? "";
}

async function diff(variables: Record<string, unknown>): Promise<Json> {
  const { data, message } = await ask(DIFF, variables);
  expect(message).toBe("");
  return at(data, "lineageDiff");
}

function nodesOf(found: Json): string[] {
  return (at(found, "nodes") as Json[]).map((node) => {
    const details = (at(node, "details") as Json[]).map(
      (part) => `${String(at(part, "kind"))} ${String(at(part, "name"))}`,
    );
    return [at(node, "difference"), at(node, "asset", "fqn"), ...details].join(" ");
  });
}

function edgesOf(found: Json): string[] {
  return (at(found, "edges") as Json[]).map((edge) => {
    return `${String(at(edge, "difference"))} ${String(at(edge, "from", "fqn"))} > ${String(at(edge, "to", "fqn"))}`;
  });
}

describe("the lineage against a manifest", () => {
  it("Around an asset, what the manifest adds, removes and changes is told, also behind what is new", async () => {
    const saved = await save(editInFourWays);
    const found = await diff({ id: await idOf("shop.marts.fct_orders"), saved, direction: "upstream", depth: 2 });
    expect(nodesOf(found)).toEqual([
      "added shop.staging.refund_ids",
      "changed shop.marts.fct_orders sql_changed shop.marts.fct_orders",
    ]);
    expect(edgesOf(found)).toEqual([
      "added shop.staging.refund_ids > shop.marts.fct_orders",
      "added shop.staging.stg_stripe__refunds > shop.staging.refund_ids",
    ]);
    expect([at(found, "after"), at(found, "connector"), at(found, "truncated")]).toEqual([null, "shop", false]);
    const deep = await diff({ id: await idOf("shop.marts.dim_customers"), saved, depth: 2 });
    expect(nodesOf(deep)).toEqual(
      expect.arrayContaining([
        "removed shop.marketing.crm_contacts",
        "changed shop.marketing.customer_value column_added is_new sql_changed shop.marketing.customer_value",
      ]),
    );
    expect(edgesOf(deep)).toContain("removed shop.marts.dim_customers > shop.marketing.crm_contacts");
  });

  it("A new asset has a lineage before it is in the catalog", async () => {
    const saved = await save(editInFourWays);
    const around = await diff({ id: await idOf("shop.marts.fct_orders"), saved });
    const id = at(around, "nodes", 0, "asset", "id");
    const found = await diff({ id, saved, direction: "upstream" });
    expect(nodesOf(found)).toEqual(["added shop.staging.refund_ids"]);
    expect(edgesOf(found)).toEqual(["added shop.staging.stg_stripe__refunds > shop.staging.refund_ids"]);
    expect(Number(at(found, "unchangedNodes"))).toBeGreaterThan(0);
  });

  it("An asset that the manifest leaves alone has no difference, and one that moved keeps its present id", async () => {
    const saved = await save((manifest) => moveModel(manifest, "dim_products", "elsewhere"));
    const id = await idOf("shop.marts.dim_products");
    expect(nodesOf(await diff({ id, saved, depth: 1 }))).toContain(
      "changed shop.marts.dim_products asset_renamed shop.elsewhere.dim_products",
    );
    const alone = await diff({ id: await idOf("shop.staging.stg_stripe__refunds"), saved, depth: 1 });
    expect([at(alone, "nodes"), at(alone, "edges")]).toEqual([[], []]);
  });

  it("REST tells the same, and refuses what cannot be compared", async () => {
    const saved = await save(editInFourWays);
    const id = await idOf("shop.marts.fct_orders");
    const rest = createRestClient(app);
    const { status, body } = await rest(`/api/v1/lineage/diff?asset_id=${id}&saved_impact=${saved}`);
    expect([status, at(body, "after"), at(body, "connector")]).toEqual([200, null, "shop"]);
    expect(nodesOf(body)).toEqual(nodesOf(await diff({ id, saved })));
    const { data } = await ask("query ($id: ID!) { asset(id: $id) { columns { id } } }", { id });
    const column = String(at(data, "asset", "columns", 0, "id"));
    for (const [query, field] of [
      [`asset_id=${id}&saved_impact=${saved}&compare_with=7d`, "compare_with"],
      [`connector=shop&saved_impact=${saved}`, "connector"],
      [`asset_id=${column}&saved_impact=${saved}`, "asset_id"],
    ] as const) {
      const refused = await rest(`/api/v1/lineage/diff?${query}`);
      expect([query, refused.status, at(refused.body, "details", 0, "field")]).toEqual([query, 400, field]);
    }
    expect((await rest(`/api/v1/lineage/diff?asset_id=${id}&saved_impact=0000`)).status).toBe(404);
    expect((await rest(`/api/v1/lineage/diff?asset_id=unknown&saved_impact=${saved}`)).status).toBe(404);
  });

  it("Another workspace has no such saved impact", async () => {
    const saved = await save(editInFourWays);
    const other = createGraphqlClient(await app.openWorkspace());
    const refused = await other(DIFF, { id: await idOf("shop.marts.fct_orders"), saved });
    expect([refused.codes, refused.message]).toEqual([["NOT_FOUND"], expect.stringContaining("saved impact")]);
  });

  it("The command line prints the same, and takes no earlier time beside it", async () => {
    const saved = await save(editInFourWays);
    const env = { TRIBUTARY_URL: app.url, TRIBUTARY_TOKEN: app.token };
    const args = ["lineage", "shop.marts.fct_orders", "--direction", "upstream", "--saved-impact", saved];
    const { code, stdout, stderr } = await runCommandHere(args, env);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^added +model +shop\.staging\.refund_ids/m)]);
    expect(stderr).toMatch(
      /^With the manifest for shop that was saved at \d{4}-\S+Z\. The same: \d+ assets, \d+ edges\./m,
    );
    expect((await runCommandHere([...args, "--compare-with", "7d"], env)).code).toBe(2);
  });
});
