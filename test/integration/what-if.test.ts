/**
 * The impact of a pull request, from the sample's manifest and edited copies of it, on the command line and over
 * GraphQL.
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { type RunningApp, startApp } from "../support/app.ts";
import { type Ended, runCommandHere } from "../support/command-line.ts";
import { atDepth } from "../support/depth.ts";
import {
  at,
  dropAmount,
  editShop,
  editUncompiled,
  model,
  moveModel,
  renameAmount,
  rewrite,
  SHOP,
  type ShopManifest,
  writeShop,
} from "../support/edited-shop.ts";
import { createGraphqlClient, type GraphqlClient } from "../support/graphql-client.ts";
import { present } from "../support/present.ts";
import { createRestClient } from "../support/rest-client.ts";

interface Report {
  summary: Record<string, number>;
  changes: { kind: string; fqn: string; new_name: string; new_type: string; confidence: number }[];
  affected: { fqn: string; type: string; certification: string; risk: string; state: string; changes: number[] }[];
  owners: { owner: string; total_affected: number }[];
  checks: { total: number; would_fail: { name: string; kind: string; reason: string }[]; truncated: boolean };
  lapses: { total: number; metrics: { name: string; reason: string }[]; truncated: boolean };
  lineage: {
    nodes: { difference: string; fqn: string }[];
    edges: { difference: string; from: string; to: string; kinds: string[] }[];
    truncated: boolean;
  };
  uncompared: { object: string; message: string; unread: string | null }[];
  completeness: { complete: boolean };
}

let app: RunningApp;
let folder: string;
let ask: GraphqlClient;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tributary-what-if-test-"));
  app = await startApp({ sample: true });
  ask = createGraphqlClient(app);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

/** Runs a command beside the running server, on its data folder. */
function run(...args: string[]): Promise<Ended> {
  return runCommandHere(["impact", ...args], { DATA_DIR: app.app.settings.dataDir, PORT: "0" });
}

/** The report on an edited copy of the sample, over REST. */
async function assess(edit: (manifest: ShopManifest) => void): Promise<Report> {
  const path = "/api/v1/lineage/impact/manifest?connector=shop";
  const { status, body } = await createRestClient(app)(path, { method: "POST", body: editShop(edit) });
  expect(status).toBe(200);
  // The API's own tests check answers against their schema.
  return body as unknown as Report;
}

/** The same report from the command line. */
async function assessHere(edit: (manifest: ShopManifest) => void, ...args: string[]): Promise<Report> {
  const path = writeShop(folder, "edited", edit);
  const { code, stdout, stderr } = await run("--manifest", path, "--against", "shop", "--format", "json", ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

function tellChanges({ changes }: Report): string[] {
  return changes.map(({ kind, fqn, new_name: name, new_type: type }) => [kind, fqn, name, type].join(" ").trim());
}

function stateOf({ affected }: Report, fqn: string): string | undefined {
  return affected.find((each) => each.fqn === fqn)?.state;
}

function riskOf({ affected }: Report, fqn: string): string | undefined {
  return affected.find((each) => each.fqn === fqn && each.state === "affected")?.risk;
}

async function shopId(): Promise<string> {
  const { metadata } = app.app;
  const { id } = present(await metadata.workspaces.findByName("default"));
  return present(await metadata.connectors.findByName(id, "shop")).id;
}

function widen(manifest: ShopManifest): void {
  at(model(manifest, "stg_stripe__refunds").columns, "amount").data_type = "numeric(14,2)";
}

describe("the lineage of a pull request", () => {
  it("The report of a manifest without changes says when its connector last completed a sync", async () => {
    const { completeness } = await assess(() => {});
    expect(completeness).toMatchObject({ complete: true, as_of: expect.stringMatching(/^\d{4}-/) });
  });

  it("The report names the assets and edges that the manifest adds, removes and changes, and no others", async () => {
    const { lineage } = await assess((manifest) => {
      delete manifest.nodes["model.shop.crm_contacts"];
      rewrite(model(manifest, "fct_orders"), ["where not orders.is_cancelled", "where true"]);
      const refunds = model(manifest, "stg_stripe__refunds");
      const copy = structuredClone(refunds);
      const sql = `select refund_id from ${refunds.database}.${refunds.schema}.${refunds.alias}`;
      const own = { name: "refund_ids", unique_id: "model.shop.refund_ids", alias: "refund_ids", compiled_code: sql };
      const needs = { depends_on: { nodes: ["model.shop.stg_stripe__refunds"] } };
      const relation = { relation_name: `"shop"."${refunds.schema}"."refund_ids"`, columns: {} };
      manifest.nodes["model.shop.refund_ids"] = Object.assign(copy, own, needs, relation);
    });
    expect(lineage.truncated).toBe(false);
    expect(lineage.nodes.map(({ difference, fqn }) => `${difference} ${fqn}`)).toEqual([
      "added shop.staging.refund_ids",
      "removed shop.marketing.crm_contacts",
      "changed shop.marts.fct_orders",
    ]);
    expect(lineage.edges.map(({ difference, from, to, kinds }) => [difference, from, to, ...kinds].join(" "))).toEqual([
      "added shop.staging.stg_stripe__refunds shop.staging.refund_ids derives",
      "removed shop.marketing.crm_contacts shop.crm_sync exports",
      "removed shop.marketing.customer_value shop.marketing.crm_contacts derives",
      "removed shop.marts.dim_customers shop.marketing.crm_contacts derives",
      "removed shop.marts.fct_support_tickets shop.marketing.crm_contacts derives",
    ]);
  });

  it("An edge between two removed assets is listed once", async () => {
    const { lineage } = await assess((manifest) => {
      for (const name of ["customer_value", "crm_contacts"]) delete manifest.nodes[`model.shop.${name}`];
    });
    const edges = lineage.edges.map(({ difference, from, to }) => `${difference} ${from} > ${to}`);
    expect(new Set(edges).size).toBe(edges.length);
    expect(edges).toContain("removed shop.marketing.customer_value > shop.marketing.crm_contacts");
  });
});

describe("a pull request that only changes formulas", () => {
  const formula = "orders.gross_revenue_eur * 2 as gross_revenue_eur,";

  const EDITS: [what: string, edit: (manifest: ShopManifest) => void][] = [
    [
      "a formula and a filter",
      (manifest) =>
        rewrite(
          model(manifest, "fct_orders"),
          ["orders.gross_revenue_eur,", formula],
          ["where not orders.is_cancelled", ""],
        ),
    ],
    ["a column that goes", dropAmount],
    [
      "a formula over metrics",
      ({ metrics }) => {
        at(metrics, "metric.shop.net_revenue").type_params.expr = "gross_revenue - 2 * refunded_amount";
      },
    ],
    ["nothing", () => {}],
  ];

  it("A pull request tells which certifications would lapse, and the sync ends the same ones", async () => {
    const { changes, lapses } = await assess((manifest) =>
      rewrite(model(manifest, "fct_orders"), ["orders.gross_revenue_eur,", formula]),
    );
    expect(changes).toEqual([]);
    expect(lapses.total).toBe(lapses.metrics.length);
    const gross = lapses.metrics.find(({ name }) => name === "gross_revenue");
    expect(gross?.reason).toMatch(/column `gross_revenue_eur` of `fct_orders` is now `\S*gross_revenue_eur \* 2/);
    expect(lapses.metrics.map(({ name }) => name)).not.toContain("refunded_amount");
  });

  it("A pull request tells of rows that are no longer left out", async () => {
    const { lapses } = await assess((manifest) =>
      rewrite(model(manifest, "fct_orders"), ["where not orders.is_cancelled", ""]),
    );
    const count = lapses.metrics.find(({ name }) => name === "order_count");
    expect(count?.reason).toMatch(
      /`fct_orders` changed its SQL; .*rows of `fct_orders` now depend on nothing instead of/,
    );
  });

  it.each(atDepth([], EDITS))(
    "A pull request predicts what the sync does to certifications after a change of %s",
    async (_what, edit) => {
      const foretold = (await assess(edit)).lapses.metrics.map(({ name }) => name);
      const other = await startApp({ sample: true });
      onTestFinished(() => other.close());
      const target = mkdtempSync(join(folder, "target-"));
      writeShop(target, "manifest", edit);
      copyFileSync(join(SHOP, "catalog.json"), join(target, "catalog.json"));
      const command = (line: string) =>
        runCommandHere(line.split(" "), { DATA_DIR: other.app.settings.dataDir, PORT: "0" });
      expect((await command(`connector edit shop --option target=${target}`)).code).toBe(0);
      expect((await command("sync shop --wait --force")).code).toBe(0);
      const metrics = "{ metrics(first: 100) { nodes { name audit { action } } } }";
      const { data } = await createGraphqlClient(other)(metrics);
      const { nodes } = (data as { metrics: { nodes: { name: string; audit: { action: string }[] }[] } }).metrics;
      const ended = nodes.filter(({ audit }) => audit.some(({ action }) => action === "lapse")).map(({ name }) => name);
      expect(foretold.toSorted()).toEqual(ended.toSorted());
    },
  );

  it("A pull request that only changes formulas fails at medium risk, not at high, and says so in the first line", async () => {
    const path = writeShop(folder, "formula.json", (manifest) =>
      rewrite(model(manifest, "fct_orders"), ["orders.gross_revenue_eur,", formula]),
    );
    const medium = await run("--manifest", path, "--against", "shop", "--fail-on", "medium");
    expect(medium).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Fails: (\d+ certifications) would lapse\.\nNo name and no type changes; \1/),
    });
    expect((await run("--manifest", path, "--against", "shop", "--fail-on", "high")).code).toBe(0);
  });
});

describe("comparison of the sample", () => {
  it("The sample has no change against itself, with and without a catalog, in any version of the manifest", async () => {
    const nothing = { changes: [], affected: [], owners: [], uncompared: [] };
    expect(await assess(() => {})).toMatchObject(nothing);
    expect(await assessHere(() => {}, "--catalog", join(SHOP, "catalog.json"))).toMatchObject(nothing);
    for (const version of atDepth([], ["v10", "v11"])) {
      const older = await assess(({ metadata }) => {
        metadata.dbt_schema_version = metadata.dbt_schema_version.replace("v12", version);
      });
      expect(older).toMatchObject(nothing);
    }
  });

  it("A column that a source loses is followed to certified metrics and dashboards, with the people to tell", async () => {
    const report = await assess(({ sources }) => {
      delete at(sources, "source.shop.stripe.refunds").columns["amount"];
    });
    expect(report.changes).toMatchObject([
      { kind: "column_dropped", fqn: "shop.raw_stripe.refunds.amount", confidence: 0.8 },
    ]);
    const worst = report.affected.filter(({ risk, state }) => risk === "high" && state === "affected");
    expect(worst).toContainEqual(expect.objectContaining({ type: "metric", certification: "certified" }));
    expect(worst).toContainEqual(expect.objectContaining({ type: "dashboard", fqn: "shop.board_revenue" }));
    expect(report.owners.reduce((sum, each) => sum + each.total_affected, 0)).toBe(report.summary["total_affected"]);
  });

  it("A column that a model's SQL loses is found, though it is still documented", async () => {
    const report = await assess(dropAmount);
    expect(tellChanges(report)).toEqual(["column_dropped shop.staging.stg_stripe__refunds.amount"]);
    expect(stateOf(report, "shop.intermediate.int_refunds_in_eur.refunded_eur")).toBe("affected");
    expect(stateOf(report, "shop.intermediate.int_refunds_in_eur.reason")).toBeUndefined();
  });

  it("A rename is guessed, and breaks those who use the old name", async () => {
    const report = await assess(renameAmount);
    expect(tellChanges(report)).toEqual(["column_renamed shop.staging.stg_stripe__refunds.amount refund_amount"]);
    expect(report.changes[0]?.confidence).toBeLessThan(1);
    expect(report.summary).toMatchObject({ adapted_count: 0 });
    expect(stateOf(report, "shop.finance.fct_refunds.amount")).toBe("affected");
  });

  it("Everything downstream of a model that uses the new name counts as adapted", async () => {
    const report = await assess((manifest) => {
      renameAmount(manifest);
      rewrite(
        model(manifest, "int_refunds_in_eur"),
        ["refunds.amount,", "refunds.refund_amount as amount,"],
        ["refunds.amount *", "refunds.refund_amount *"],
      );
    });
    expect(report.summary).toMatchObject({ total_affected: 0 });
    expect(report.summary["adapted_count"]).toBeGreaterThan(50);
    expect(stateOf(report, "shop.board_revenue")).toBe("adapted");
    expect(report.owners).toEqual([]);
  });

  it("One model can have adapted and unadapted columns", async () => {
    const report = await assess((manifest) => {
      renameAmount(manifest);
      rewrite(model(manifest, "int_refunds_in_eur"), ["refunds.amount,", "refunds.refund_amount as amount,"]);
    });
    expect(stateOf(report, "shop.intermediate.int_refunds_in_eur.amount")).toBe("adapted");
    expect(stateOf(report, "shop.finance.fct_refunds.amount")).toBe("adapted");
    expect(stateOf(report, "shop.intermediate.int_refunds_in_eur.refunded_eur")).toBe("affected");
    expect(stateOf(report, "shop.finance.fct_refunds.refunded_eur")).toBe("affected");
  });

  it("A type that narrows is told from one that widens, and each asset is shown at the worst of both", async () => {
    const wider = await assess(widen);
    expect(tellChanges(wider)).toEqual(["column_retyped shop.staging.stg_stripe__refunds.amount  numeric(14,2)"]);
    expect(wider.summary).toMatchObject({ high_risk_count: 0, medium_risk_count: 0 });
    expect(wider.summary["low_risk_count"]).toBeGreaterThan(50);

    const both = await assess((manifest) => {
      widen(manifest);
      at(at(manifest.sources, "source.shop.stripe.refunds").columns, "amount").data_type = "integer";
    });
    expect(tellChanges(both)[0]).toBe("column_retyped shop.raw_stripe.refunds.amount  integer");
    const reached = present(both.affected.find(({ fqn }) => fqn === "shop.finance.fct_refunds.amount"));
    expect(reached).toMatchObject({ risk: "medium", changes: [0, 1] });
  });

  it("Nothing downstream of a model that could not be read is spared", async () => {
    const torn = await assess((manifest) => {
      dropAmount(manifest);
      const reader = model(manifest, "int_refunds_in_eur");
      editUncompiled(reader);
      reader.columns = {};
    });
    expect(stateOf(torn, "shop.intermediate.int_refunds_in_eur.refunded_eur")).toBe("affected");
    expect(stateOf(torn, "shop.finance.fct_refunds.refunded_eur")).toBe("affected");
    expect(torn.summary).toMatchObject({ adapted_count: 0, dropped_count: 0 });
  });

  it("A column that goes with its source column is dropped, though both are still documented", async () => {
    const both = await assess((manifest) => {
      dropAmount(manifest);
      rewrite(model(manifest, "int_refunds_in_eur"), ["    refunds.amount,\n", ""]);
    });
    expect(tellChanges(both)).toContain("column_dropped shop.intermediate.int_refunds_in_eur.amount");
    expect(stateOf(both, "shop.intermediate.int_refunds_in_eur.amount")).toBe("dropped");
    expect(stateOf(both, "shop.intermediate.int_refunds_in_eur.refunded_eur")).toBe("affected");
  });

  it("A removed model breaks the models that read it, but not those that are removed with it", async () => {
    const report = await assess((manifest) => {
      delete manifest.nodes["model.shop.customer_value"];
      delete manifest.nodes["model.shop.crm_contacts"];
    });
    // What the other reads comes first.
    expect(tellChanges(report)).toEqual([
      "asset_dropped shop.marketing.customer_value",
      "asset_dropped shop.marketing.crm_contacts",
    ]);
    expect(stateOf(report, "shop.marketing.crm_contacts")).toBe("dropped");
    expect(stateOf(report, "shop.marketing.churn_features.lifetime_margin_eur")).toBe("affected");
    expect(stateOf(report, "shop.crm_sync")).toBe("affected");
    expect(report.uncompared).toContainEqual(
      expect.objectContaining({ object: "shop.marketing.churn_features", unread: null }),
    );
  });

  it("A removed model certainly breaks its readers, even if they read only its rows or unknown columns", async () => {
    const wide = await assess(({ nodes }) => {
      delete nodes["model.shop.orders_wide"];
    });
    expect(riskOf(wide, "shop.warehouse_screen")).toBe("high");
    const orders = await assess(({ nodes }) => {
      delete nodes["model.shop.fct_orders"];
    });
    expect(riskOf(orders, "shop.order_count")).toBe("high");
  });

  it("A model in another schema counts as moved, and those who follow it as adapted", async () => {
    const report = await assess((manifest) => moveModel(manifest, "fct_refunds", "accounting"));
    expect(tellChanges(report)).toEqual(["asset_moved shop.finance.fct_refunds shop.accounting.fct_refunds"]);
    expect(report.summary).toMatchObject({ total_affected: 0 });
    expect(stateOf(report, "shop.refunded_amount")).toBe("adapted");
  });

  it("A dashboard that reads a moved model gets a warning, because it reads it by name", async () => {
    const report = await assess((manifest) => moveModel(manifest, "fct_payments", "accounting"));
    expect(stateOf(report, "shop.month_end_close")).toBe("affected");
  });

  it("A manifest for another target has no change at all", async () => {
    const report = await assess((manifest) => {
      for (const [id, { schema }] of Object.entries(manifest.nodes)) {
        if (id.startsWith("model.")) moveModel(manifest, id.slice("model.shop.".length), `ci_${schema}`);
      }
    });
    expect(report.changes).toEqual([]);
    expect(report.uncompared).toEqual([{ object: "", message: expect.stringMatching(/another target/), unread: null }]);
    expect(report.completeness.complete).toBe(true);
  });

  it("The columns of a model that reads a table that no connector states are known", async () => {
    const report = await assess((manifest) => {
      rewrite(model(manifest, "stg_stripe__refunds"), ["raw_stripe", "raw_other"]);
    });
    expect(report.uncompared).toEqual([]);
    expect(report.changes).toEqual([]);
    expect(report.lapses.metrics.find(({ name }) => name === "refunded_amount")?.reason).toMatch(
      /column `amount` of `stg_stripe__refunds` now comes from /,
    );
  });

  it("Models that could not be read are listed, and nothing of them counts as dropped", async () => {
    const report = await assess((manifest) => {
      editUncompiled(model(manifest, "stg_stripe__refunds"));
      rewrite(model(manifest, "fct_refunds"), ["select", "selectt ("]);
    });
    expect(report.changes).toEqual([]);
    expect(report.uncompared).toEqual(
      expect.arrayContaining([
        {
          object: "shop.staging.stg_stripe__refunds",
          message: expect.stringMatching(/no compiled SQL/),
          unread: "model",
        },
        {
          object: "shop.finance.fct_refunds",
          message: expect.stringMatching(/^could not be read: /),
          unread: "model",
        },
      ]),
    );
    expect(report.summary).toMatchObject({ uncompared_count: 2, unread_count: 2 });
    expect(report.completeness.complete).toBe(false);
  });
});

const dropKey = (manifest: ShopManifest): void => {
  rewrite(model(manifest, "crm_contacts"), ["    customers.customer_id,\n", ""]);
};

const dropTests = (manifest: ShopManifest): void => {
  for (const id of Object.keys(manifest.nodes)) {
    if (/^test\.shop\.\w+_crm_contacts_/.test(id)) Reflect.deleteProperty(manifest.nodes, id);
  }
};

describe("failing checks of a change set", () => {
  it("The checks that the new project still has on a dropped column fail", async () => {
    const { checks, summary } = await assess(dropKey);
    expect(checks).toMatchObject({ total: 2, truncated: false });
    expect(checks.would_fail.map(({ name, kind, reason }) => [name, kind, reason])).toEqual(
      expect.arrayContaining([
        ["unique_crm_contacts_customer_id", "generic", "It needs `crm_contacts.customer_id`, which goes away."],
        ["not_null_crm_contacts_customer_id", "generic", "It needs `crm_contacts.customer_id`, which goes away."],
      ]),
    );
    expect(summary["high_risk_count"]).toBe(0);
    const path = writeShop(folder, "key-dropped", dropKey);
    const { code, stdout } = await run("--manifest", path, "--against", "shop", "--fail-on", "high");
    expect(code).toBe(1);
    expect(stdout).toContain("; 2 checks would fail");
    expect(stdout).toMatch(/^unique_crm_contacts_customer_id +generic +It needs/m);
  });

  it("No check fails if the change set removes the tests with the column", async () => {
    const { checks } = await assess((manifest) => {
      dropKey(manifest);
      dropTests(manifest);
    });
    expect(checks).toMatchObject({ total: 0, would_fail: [], truncated: false });
  });
});

const SHOWN = `
  changes { kind changeType id fqn newName oldType newType confidence because summary { totalAffected } }
  summary { totalAffected highRiskCount } adapted dropped truncated
  affected { state changes impact { id fqn type risk reason owner path } }
  owners { owner summary { totalAffected } affected { id } }
  uncompared { object message }`;
const MANIFEST_IMPACT = `query ($id: ID!, $manifest: String!, $catalog: String) {
  manifestImpact(connectorId: $id, manifest: $manifest, catalog: $catalog) { ${SHOWN} } }`;
const CHANGE_SET_IMPACT = `query ($changes: [ChangeInput!]!) { changeSetImpact(changes: $changes) { ${SHOWN} } }`;

describe("what-if over GraphQL", () => {
  it("A what-if over GraphQL gets the same answer as on the command line", async () => {
    const { data, codes } = await ask(MANIFEST_IMPACT, { id: await shopId(), manifest: editShop(dropAmount) });
    expect(codes).toEqual([]);
    const report = await assessHere(dropAmount);
    expect(data).toMatchObject({
      manifestImpact: {
        changes: [{ kind: "column_dropped", changeType: "column_drop" }],
        summary: { totalAffected: report.summary["total_affected"], highRiskCount: report.summary["high_risk_count"] },
        affected: report.affected.map(({ fqn, risk, state }) => ({ state, impact: { fqn, risk } })),
        owners: report.owners.map(({ owner }) => ({ owner })),
      },
    });
  });

  it("A what-if over GraphQL joins changes that are named", async () => {
    const { items } = await app.app.graph.listNodes(
      present(await app.app.metadata.workspaces.findByName("default")).id,
      { types: ["column"] },
      { after: null, limit: 1_000 },
    );
    const idOf = (fqn: string): string => present(items.find((node) => node.fqn === fqn)).id;
    const { data, codes } = await ask(CHANGE_SET_IMPACT, {
      changes: [
        { id: idOf("shop.raw_stripe.refunds.amount"), changeType: "type_change", newType: "numeric" },
        { id: idOf("shop.raw_stripe.refunds.created"), changeType: "column_drop" },
      ],
    });
    expect(codes).toEqual([]);
    expect(data).toMatchObject({ changeSetImpact: { changes: [{ kind: "named" }, { kind: "named" }], adapted: 0 } });
    expect(JSON.stringify(data)).toMatch(/"state":"affected","changes":\[0,1\]/);
  });

  it("A what-if over GraphQL refuses a file that is no manifest, without telling where it was read", async () => {
    const { codes, message } = await ask(MANIFEST_IMPACT, { id: await shopId(), manifest: "{" });
    expect(codes).toEqual(["BAD_REQUEST"]);
    expect(message).toMatch(/^manifest: manifest\.json is not complete JSON/);
  });

  it("A what-if over GraphQL takes a path for text, which is no manifest", async () => {
    const { codes } = await ask(MANIFEST_IMPACT, { id: await shopId(), manifest: join(SHOP, "manifest.json") });
    expect(codes).toEqual(["BAD_REQUEST"]);
  });

  it("A what-if over GraphQL refuses an unknown connector, an unknown asset, and no changes", async () => {
    expect((await ask(MANIFEST_IMPACT, { id: "con_none", manifest: "{}" })).codes).toEqual(["NOT_FOUND"]);
    const change = { id: "0".repeat(32), changeType: "deprecate" };
    expect((await ask(CHANGE_SET_IMPACT, { changes: [change] })).codes).toEqual(["NOT_FOUND"]);
    expect((await ask(CHANGE_SET_IMPACT, { changes: [] })).codes).toEqual(["BAD_REQUEST"]);
    const many = Array.from({ length: 51 }, () => change);
    expect((await ask(CHANGE_SET_IMPACT, { changes: many })).codes).toEqual(["BAD_REQUEST"]);
  });
});
