/** The column lineage of whole dbt projects, from their artifacts to the graph. */
import { existsSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { openDbtCrawl } from "../support/dbt-crawl.ts";
import { present } from "../support/present.ts";

const projectFolder = (name: string): string => join(import.meta.dirname, "../../../shared/data/dbt", name);

/** Syncs a real project, and assesses the drop of its columns. */
async function openProject(name: string) {
  const opened = await openDbtCrawl(projectFolder(name));
  const { crawl, findNode, list, graph, workspace } = opened;
  expect(await crawl()).toMatchObject({ status: "completed" });
  const breaksOf = async (fqn: string): Promise<string[]> => {
    const { id } = await findNode(fqn, "column");
    const query = { root: id, change: "column_drop", newType: null, asWhole: false, maxAffected: 10_000 } as const;
    const impact = present(await graph.assessImpact(workspace.id, query));
    const high = impact.affected.filter(({ risk }) => risk === "high").map((affected) => affected.id);
    const nodes = await graph.loadNodes(workspace.id, high);
    return nodes.flatMap((node) => (node === null || node.type === "column" ? [] : [node.name])).toSorted();
  };
  /** Models whose SQL is not fully known, with the reason. */
  const unknown = async (): Promise<string[]> => {
    const relations = [...(await list("model")), ...(await list("table"))];
    return relations
      .filter(({ sql, columnLineage }) => sql !== null && columnLineage?.status !== "known")
      .map(({ columnLineage }) => columnLineage?.reason ?? "")
      .toSorted();
  };
  return { ...opened, breaksOf, unknown };
}

describe.skipIf(!existsSync(projectFolder("sagerx")))("the column lineage of real projects", () => {
  it(
    "All column lineage of quickbooks is known, with a column that is named and not used further",
    { timeout: 300_000 },
    async () => {
      const quickbooks = await openProject("fivetran_quickbooks");
      expect(await quickbooks.unknown()).toEqual([]);
      const token = "postgres.public_quickbooks_dev.stg_quickbooks__payment_tmp.sync_token";
      expect(await quickbooks.breaksOf(token)).toContain("stg_quickbooks__payment");
      expect(await quickbooks.crawl()).toMatchObject({ assetsUpdated: 0, assetsRemoved: 0, read: 0 });
    },
  );

  it(
    "All column lineage of hubspot is known, with ephemeral models and models that read themselves",
    { timeout: 300_000 },
    async () => {
      const { unknown } = await openProject("fivetran_hubspot");
      expect(await unknown()).toEqual([]);
    },
  );

  it(
    "Relations are found that the SQL of sagerx names and dbt does not know as dependencies",
    { timeout: 300_000 },
    async () => {
      const { breaksOf, unknown } = await openProject("sagerx");
      expect(await breaksOf("sagerx.sagerx_lake.fda_enforcement.recall_number")).toHaveLength(5);
      // One relation is in no schema file. Its columns come from the SQL that names them.
      expect(await unknown()).toEqual([]);
    },
  );

  it(
    "Columns of a seed of pems that are in no catalog are added, and the lineage of their users is known",
    { timeout: 300_000 },
    async () => {
      const { findNode, sourcesOf, breaksOf } = await openProject("pems");
      expect(await findNode("ANALYTICS_PRD.analytics.cities.city_id", "column")).toMatchObject({ inferred: true });
      const city = await findNode("ANALYTICS_PRD.geo.geo__current_stations.city", "column");
      expect(city.columnLineage).toMatchObject({ status: "known" });
      expect(await sourcesOf(city)).toContainEqual(expect.stringMatching(/cities\.city_id JOIN /));
      expect(await breaksOf("ANALYTICS_PRD.analytics.cities.city_id")).not.toEqual([]);
    },
  );
});
