/** Why a value of a real dbt project may have changed, after five usual edits of its manifest at once. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { fromOperator } from "../../src/auth/origin.ts";
import { getDefaultWorkspace, getFirstAdmin } from "../../src/cli/start/workspace.ts";
import { findConnectorType } from "../../src/connectors/registry.ts";
import { addConnector } from "../../src/ingest/add-connector.ts";
import { startApp } from "../support/app.ts";
import { type Manifest, rewriteModel } from "../support/certified-project.ts";
import { createTestClock, DAY_MS, MINUTE_MS } from "../support/clock.ts";
import { runCommandHere } from "../support/command-line.ts";
import { createGraphqlClient } from "../support/graphql-client.ts";
import { makeTemporaryFolder } from "../support/metadata-store.ts";
import { at, type Json } from "../support/rest-client.ts";

const SHARED = join(import.meta.dirname, "../../../shared/data/dbt");

const EDITS = ["formula", "filter", "rename", "comment", "other column"] as const;

/** SQL of a model that is replaced. */
type Rewrite = readonly [model: string, from: string, to: string];

interface EditedProject {
  folder: string;
  /** The name of the project in the ids of its models. */
  name: string;
  edits: Readonly<Record<(typeof EDITS)[number], readonly Rewrite[]>>;
  /** A column of these models has another name, which catalog.json says too. */
  renamed: { models: readonly string[]; from: string; to: string };
  /** For each column or metric: all causes as "edit: node kind evidence", and the number of other changes upstream. */
  expected: Readonly<Record<string, readonly [causes: readonly string[], others: number]>>;
}

const SHOP: EditedProject = {
  folder: "colibri_trino",
  name: "jaffle_shop",
  edits: {
    formula: [["stg_products", "cast(price / 100 as", "cast(price / 10 as"]],
    filter: [["STG_CUSTOMERS", "on s1.id = s2.id", "on s1.id = s2.id\n    where s1.name <> 'test'"]],
    rename: [
      ["stg_supplies", "as supply_cost", "as cost_of_supply"],
      ["order_items", "sum(supply_cost)", "sum(cost_of_supply)"],
    ],
    comment: [["stg_order_items", "        sku as product_id", "        -- The product.\n        SKU AS product_id"]],
    "other column": [["stg_orders", "cast(tax_paid / 100 as", "cast(tax_paid / 10 as"]],
  },
  renamed: { models: ["stg_supplies", "supplies"], from: "supply_cost", to: "cost_of_supply" },
  expected: {
    "jaffle_shop.revenue": [["formula: stg_products expression DIRECT"], 4],
    // What it takes from the items is a column of supplies, which has another name.
    "jaffle_shop.order_gross_profit": [
      [
        "formula: stg_products expression DIRECT",
        "rename: order_items expression DIRECT",
        "rename: stg_supplies expression DIRECT",
        "rename: supply_cost removed DIRECT",
      ],
      2,
    ],
    "jaffle_shop.lifetime_spend_pretax": [["filter: stg_customer_alias rows INDIRECT"], 5],
    "postgresql.public.customers.lifetime_tax_paid": [
      ["filter: stg_customer_alias rows INDIRECT", "other column: stg_orders expression DIRECT"],
      4,
    ],
  },
};

const DRUGS: EditedProject = {
  folder: "sagerx",
  name: "sagerx",
  edits: {
    formula: [["stg_rxnorm__ingredients", "ingredient.str name", "lower(ingredient.str) name"]],
    filter: [["stg_rxnorm__products", "('SCD', 'GPCK', 'SBD', 'BPCK')", "('SCD', 'GPCK', 'SBD')"]],
    rename: [
      ["int_rxnorm_clinical_products_to_ingredients", "as dose_form_name", "as dose_form_names"],
      ["products", "cping.dose_form_name", "cping.dose_form_names as dose_form_name"],
    ],
    comment: [
      [
        "stg_rxnorm__clinical_products",
        "where product.tty in('SCD', 'GPCK')",
        "/* Of one ingredient or more. */\nWHERE product.tty IN (\n  'SCD',\n  'GPCK'\n)",
      ],
    ],
    "other column": [["stg_rxnorm__dose_forms", "= '4096' then true", "= '4096' then null"]],
  },
  renamed: {
    models: ["int_rxnorm_clinical_products_to_ingredients"],
    from: "dose_form_name",
    to: "dose_form_names",
  },
  expected: {
    "sagerx.sagerx_dev.products.ingredient_name": [
      ["filter: stg_rxnorm__products rows INDIRECT", "formula: stg_rxnorm__ingredients expression DIRECT"],
      4,
    ],
    "sagerx.sagerx_dev.products.dose_form_name": [
      [
        "filter: stg_rxnorm__products rows INDIRECT",
        "rename: dose_form_name removed DIRECT",
        "rename: int_rxnorm_clinical_products_to_ingredients expression DIRECT",
        "rename: products expression DIRECT",
      ],
      3,
    ],
    // Which part of a union of distinct rows counts is not known, so all SQL upstream does, and still no comment.
    "sagerx.sagerx_dev.product_synonyms.synonym": [["filter: stg_rxnorm__products sql UNKNOWN"], 1],
    "sagerx.sagerx_dev.brand_products_with_related_ndcs.ndc": [[], 1],
  },
};

const CAUSES = `query ($fqn: String!) {
  causes(fqn: $fqn, since: "12h") { others nodes { kind evidence node { type name fqn } } completeness { complete } }
}`;

async function openEdited({ folder, name, edits, renamed }: EditedProject) {
  const clock = createTestClock("2026-03-02T10:00:00.000Z");
  const running = await startApp({ overrides: { clock } });
  const { app } = running;
  const own = await makeTemporaryFolder(afterAll);
  const read = (artifact: string) => JSON.parse(readFileSync(join(SHARED, folder, `${artifact}.json`), "utf8"));
  const [manifest, catalog]: [Manifest, Pick<Manifest, "nodes">] = [read("manifest"), read("catalog")];
  const options = { manifest: join(own, "manifest.json"), catalog: join(own, "catalog.json") };
  const workspace = await getDefaultWorkspace(app.metadata);
  const origin = fromOperator(workspace, await getFirstAdmin(app.metadata, workspace));
  const write = (): void => {
    writeFileSync(options.manifest, JSON.stringify(manifest));
    writeFileSync(options.catalog, JSON.stringify(catalog));
  };
  write();
  const parts = { store: app.metadata, findConnectorType, clock };
  const request = { type: "dbt", name, options, test: false };
  const connector = await addConnector(parts, origin, request, new AbortController().signal);
  const crawl = async (): Promise<void> => {
    const sync = await app.syncs.trigger({ workspaceId: workspace.id, connectorId: connector.id });
    const { status, errors } = await app.queue.wait(workspace.id, sync.id);
    if (status !== "completed") throw new Error(`the sync ended ${status}: ${JSON.stringify(errors)}`);
  };
  await crawl();
  clock.advance(DAY_MS);
  for (const [model, from, to] of Object.values(edits).flat())
    rewriteModel(manifest, `model.${name}.${model}`, from, to);
  for (const model of renamed.models) {
    for (const { nodes } of [manifest, catalog]) {
      const columns = nodes[`model.${name}.${model}`]?.columns ?? {};
      const { [renamed.from]: column } = columns;
      if (column === undefined) continue;
      delete columns[renamed.from];
      columns[renamed.to] = { ...column, name: renamed.to };
    }
  }
  write();
  await crawl();
  clock.advance(MINUTE_MS);
  const editOf = (fqn: string, type: string): string => {
    const alias = fqn.split(".").at(type === "column" ? -2 : -1);
    const isOf = ([model]: Rewrite) => manifest.nodes[`model.${name}.${model}`]?.alias === alias;
    return EDITS.find((edit) => edits[edit].some(isOf)) ?? "no edit";
  };
  return { running, editOf };
}

function listCauses(editOf: (fqn: string, type: string) => string, nodes: Json): string[] {
  const causes = (nodes as Json[]).map((each) => {
    const [type, fqn] = [String(at(each, "node", "type")), String(at(each, "node", "fqn"))];
    return `${editOf(fqn, type)}: ${[at(each, "node", "name"), at(each, "kind"), at(each, "evidence")].join(" ")}`;
  });
  return causes.toSorted();
}

const LIMIT = { timeout: 300_000 };
const PROJECTS = [SHOP, DRUGS];

describe.skipIf(!existsSync(SHARED)).each(PROJECTS)(
  "$folder of ../shared/data, skipped without it",
  LIMIT,
  (project) => {
    let opened: Awaited<ReturnType<typeof openEdited>>;
    beforeAll(async () => {
      opened = await openEdited(project);
    }, LIMIT.timeout);
    afterAll(() => opened.running.close());

    it.each(Object.entries(project.expected))(
      "Of five edits, the causes of %s are exactly those that its SQL depends on, and the others are counted",
      async (fqn, [causes, others]) => {
        const { data, message } = await createGraphqlClient(opened.running)(CAUSES, { fqn });
        expect(message).toBe("");
        expect({
          causes: listCauses(opened.editOf, at(data, "causes", "nodes")),
          others: at(data, "causes", "others"),
        }).toEqual({ causes, others });
      },
    );

    it("The command line prints as many causes of each column and metric, and the number of the others", async () => {
      for (const [fqn, [causes, others]] of Object.entries(project.expected)) {
        const { url, token } = opened.running;
        const args = ["why", fqn, "--since", "12h"];
        const { code, stdout } = await runCommandHere(args, { TRIBUTARY_URL: url, TRIBUTARY_TOKEN: token });
        const found =
          causes.length === 0 ? "Nothing upstream" : `${causes.length} change${causes.length === 1 ? "" : "s"}`;
        expect([code, stdout.split("\n")[0]?.split(" between ")[0]]).toEqual([0, found]);
        expect(stdout).toContain(`${others} other change${others === 1 ? "" : "s"} upstream cannot have changed it.`);
      }
    });
  },
);
