/** A pull request that changes no name and no type, but computes something otherwise. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../support/app.ts";
import { runCommandHere } from "../support/command-line.ts";
import { editShop, model, rewrite, type ShopManifest, writeShop } from "../support/edited-shop.ts";
import { createGraphqlClient } from "../support/graphql-client.ts";
import { createRestClient } from "../support/rest-client.ts";

interface Report {
  summary: { total_affected: number };
  changes: unknown[];
  failed: boolean;
  rewritten: {
    assets: { fqn: string; other_rows: boolean; columns: string[]; risk: string | null }[];
    readers: { fqn: string; type: string; risk: string; assets: number[]; owner: string }[];
    truncated: boolean;
  };
}

let app: RunningApp;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tributary-rewritten-test-"));
  app = await startApp({ sample: true });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

async function post(edit: (manifest: ShopManifest) => void, Accept = "application/json") {
  const path = "/api/v1/lineage/impact/manifest?connector=shop&fail_on=high";
  const answer = await createRestClient(app)(path, { method: "POST", body: editShop(edit), headers: { Accept } });
  expect(answer.status).toBe(200);
  return answer;
}

async function assess(edit: (manifest: ShopManifest) => void): Promise<Report> {
  return (await post(edit)).body as unknown as Report;
}

const FORMULA: [from: string, to: string] = [
  "orders.gross_revenue_eur,",
  "orders.gross_revenue_eur * 2 as gross_revenue_eur,",
];
const FILTER: [from: string, to: string] = ["where not orders.is_cancelled", "where orders.is_cancelled"];

function invert(manifest: ShopManifest): void {
  rewrite(model(manifest, "fct_orders"), FILTER);
}

function invertAndDouble(manifest: ShopManifest): void {
  rewrite(model(manifest, "fct_orders"), FORMULA, FILTER);
}

function addModel(manifest: ShopManifest): void {
  const refunds = model(manifest, "stg_stripe__refunds");
  const sql = `select refund_id from ${refunds.database}.${refunds.schema}.${refunds.alias}`;
  manifest.nodes["model.shop.refund_ids"] = Object.assign(structuredClone(refunds), {
    name: "refund_ids",
    unique_id: "model.shop.refund_ids",
    alias: "refund_ids",
    compiled_code: sql,
    depends_on: { nodes: ["model.shop.stg_stripe__refunds"] },
    relation_name: `"shop"."${refunds.schema}"."refund_ids"`,
    columns: {},
  });
}

describe("a pull request that computes something otherwise", () => {
  it("The check tells of other rows, with the dashboards and metrics that read them and their owners", async () => {
    const { rewritten, changes, summary, failed } = await assess(invert);
    expect({ changes, total: summary.total_affected, failed }).toEqual({ changes: [], total: 0, failed: false });
    expect(rewritten.assets).toMatchObject([
      { fqn: "shop.marts.fct_orders", other_rows: true, columns: [], risk: "medium" },
    ]);
    expect(rewritten.readers).toContainEqual(
      expect.objectContaining({ fqn: "shop.board_revenue", type: "dashboard", risk: "medium", assets: [0] }),
    );
    expect(rewritten.readers.some(({ type, owner }) => type === "metric" && owner !== "")).toBe(true);
  });

  it("The check names the columns that are computed otherwise", async () => {
    const { rewritten } = await assess((manifest) =>
      rewrite(model(manifest, "fct_orders"), ["orders.discount_eur,", "orders.discount_eur / 10 as discount_eur,"]),
    );
    expect(rewritten.assets).toMatchObject([
      { fqn: "shop.marts.fct_orders", other_rows: false, columns: ["discount_eur"] },
    ]);
  });

  it("Something is found, the verdict passes, and no line says that there is no change", async () => {
    const { headers, body } = await post(invert, "text/markdown");
    expect(headers.get("Tributary-Found")).toBe("something");
    expect(headers.get("Tributary-Impact")).toBe("pass");
    expect(body).toMatch(
      /^### ✅ Passes: nothing breaks, but 1 model computes something otherwise: `fct_orders`; \d+ certifications/,
    );
    expect(body).toContain("- **Computed otherwise:** `fct_orders` (other rows)");
    expect(body).toMatch(/- \*\*Who must be told:\*\* .*with other values/);
    expect(String(body)).not.toMatch(/no change was found/i);
  });

  it("The table lists it, and the lineage that changes", async () => {
    const path = writeShop(folder, "filter", invert);
    const env = { DATA_DIR: app.app.settings.dataDir, PORT: "0" };
    const args = ["impact", "--manifest", path, "--against", "shop", "--fail-on", "high"];
    const { code, stdout } = await runCommandHere(args, env);
    expect(code).toBe(0);
    expect(stdout).toMatch(/COMPUTED OTHERWISE +RISK +OWNER +HOW/);
    expect(stdout).toMatch(/READS OTHER VALUES/);
    expect(stdout).toMatch(/LINEAGE +TYPE +ASSET\nchanged +model +shop\.marts\.fct_orders/);
    expect(stdout).not.toMatch(/no change was found/i);
  });

  it("A model that is added is a change of the lineage, and nothing is computed otherwise", async () => {
    const { headers, body } = await post(addModel, "text/markdown");
    expect(headers.get("Tributary-Found")).toBe("something");
    expect(body).toMatch(/^### ✅ Passes: no name and no type changes, and the lineage has 2 changes\n/);
    expect((await assess(addModel)).rewritten).toEqual({ assets: [], readers: [], truncated: false });
  });

  it("The same manifest is no change", async () => {
    const { headers } = await post(() => {}, "text/markdown");
    expect(headers.get("Tributary-Found")).toBe("nothing");
  });

  it("The risk is that of the history after the merge", async () => {
    const foretold = (await assess(invertAndDouble)).rewritten.assets.map(({ fqn, risk }) => [fqn, risk]);
    const other = await startApp({ sample: true });
    try {
      const env = { DATA_DIR: other.app.settings.dataDir, PORT: "0" };
      const target = mkdtempSync(join(folder, "target-"));
      writeShop(target, "manifest", invertAndDouble);
      expect((await runCommandHere(["connector", "edit", "shop", "--option", `target=${target}`], env)).code).toBe(0);
      expect((await runCommandHere(["sync", "shop", "--wait", "--force"], env)).code).toBe(0);
      const asked = "{ changes(first: 50, kinds: [sql_changed]) { nodes { asset { fqn } risk } } }";
      const { data } = await createGraphqlClient(other)(asked);
      const { nodes } = (data as { changes: { nodes: { asset: { fqn: string }; risk: string }[] } }).changes;
      expect(foretold).toEqual(nodes.map(({ asset, risk }) => [asset.fqn, risk]));
    } finally {
      await other.close();
    }
  });
});
