/** Names of a dbt project that differ only in case. One of them is kept, and names the others. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, it } from "vitest";

import type { CatalogNode } from "../../src/catalog/asset.ts";
import { openDbtCrawl } from "../support/dbt-crawl.ts";
import { writeDbtProject } from "../support/small-dbt-project.ts";

interface Manifest {
  nodes: Record<string, { name: string; relation_name?: string }>;
}

it("Of several relations or columns with names that differ only in case, one is kept and names the others", async () => {
  const folder = await writeDbtProject({
    adapter: "postgres",
    sources: { payments: { ID: "int4", id: "int4", amount: "int4" } },
    models: { Orders: "select 1 as x", orders: "select id from {payments}" },
  });
  const path = join(folder, "manifest.json");
  const manifest = JSON.parse(await readFile(path, "utf8")) as Manifest;
  for (const node of Object.values(manifest.nodes)) node.relation_name = `"shop"."marts"."${node.name}"`;
  await writeFile(path, JSON.stringify(manifest));
  const { crawl, findNode, graph, workspace } = await openDbtCrawl(folder);
  expect((await crawl()).errors.map(({ code }) => code)).toEqual(["alike_name", "alike_name"]);
  const alike = async ({ id }: CatalogNode) => (await graph.loadSources(workspace.id, [id]))[0]?.[0]?.alikeNames;
  const orders = await findNode("shop.marts.orders", "model");
  expect(orders).toMatchObject({ name: "orders", gap: "shop.marts.Orders is left out: its name differs only in case" });
  expect(await alike(orders)).toEqual(["shop.marts.Orders"]);
  expect(await alike(await findNode("shop.raw.payments", "table"))).toEqual([]);
  expect(await alike(await findNode("shop.raw.payments.id", "column"))).toEqual(["ID"]);
  expect(await alike(await findNode("shop.raw.payments.amount", "column"))).toEqual([]);
});
