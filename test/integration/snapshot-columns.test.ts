/** The columns that dbt adds to a snapshot come from what its strategy compares. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { openDbtCrawl } from "../support/dbt-crawl.ts";
import { makeTemporaryFolder } from "../support/metadata-store.ts";
import { entries, manifest, MODEL } from "../unit/connectors/dbt/project.ts";

const SOURCE = { ...MODEL, resource_type: "source", schema: "raw", source_name: "erp", config: {} };
const COLUMNS = { id: { name: "id" }, country: { name: "country" }, loaded: { name: "loaded" } };

/** Syncs a snapshot of `raw.t` and a model that reads the snapshot's own columns. */
async function openSnapshot(config: Record<string, unknown>, sql = "select id, country, loaded from wh.raw.t") {
  const folder = await makeTemporaryFolder();
  const nodes = entries({
    "snapshot.shop.versions": {
      compiled_code: sql,
      config: { materialized: "snapshot", unique_key: "id", ...config },
      depends_on: { nodes: ["source.shop.erp.t"] },
    },
    "model.shop.since": {
      compiled_code: "select id, dbt_valid_from as since from wh.mart.versions",
      depends_on: { nodes: ["snapshot.shop.versions"] },
    },
  });
  const sources = entries({ "source.shop.erp.t": { columns: COLUMNS } }, SOURCE);
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest({ nodes, sources })));
  const { crawl, ...found } = await openDbtCrawl(folder, ["manifest"]);
  expect((await crawl()).errors).toEqual([]);
  const columns = async () => {
    const { id } = await found.findNode("wh.mart.versions", "table");
    const [all = []] = await found.graph.loadColumns(found.workspace.id, [id]);
    return all.map(({ name }) => name);
  };
  const sourcesOf = async (column: string) => {
    const node = await found.findNode(`wh.mart.versions.${column}`, "column");
    const all = await found.sourcesOf(node);
    return all.map((source) => source.replace("wh.raw.t.", "").split(" ").slice(0, 2).join(" ")).toSorted();
  };
  return { ...found, columns, sourcesOf };
}

const ALL = ["id", "country", "loaded", "dbt_scd_id", "dbt_updated_at", "dbt_valid_from", "dbt_valid_to"];

describe("The columns that dbt adds to a snapshot", () => {
  it("A snapshot by timestamp takes its times from `updated_at`, and its id from that and the unique key", async () => {
    const { columns, sourcesOf, findNode } = await openSnapshot({ strategy: "timestamp", updated_at: "loaded" });
    expect(await columns()).toEqual(ALL);
    expect(await sourcesOf("country")).toEqual(["country IDENTITY"]);
    expect(await sourcesOf("dbt_updated_at")).toEqual(["loaded IDENTITY"]);
    expect(await sourcesOf("dbt_valid_from")).toEqual(["loaded IDENTITY"]);
    expect(await sourcesOf("dbt_valid_to")).toEqual(["id WINDOW", "loaded TRANSFORMATION", "loaded WINDOW"]);
    expect(await sourcesOf("dbt_scd_id")).toEqual(["id TRANSFORMATION", "loaded TRANSFORMATION"]);
    const node = await findNode("wh.mart.versions", "table");
    expect(node).toMatchObject({ columnLineage: { status: "known" }, sql: "select id, country, loaded from wh.raw.t" });
  });

  it("A type change of the column named by `updated_at` reaches the models that read `dbt_valid_from`", async () => {
    const { graph, workspace, findNode } = await openSnapshot({ strategy: "timestamp", updated_at: "loaded" });
    const { id } = await findNode("wh.raw.t.loaded", "column");
    const query = { root: id, change: "type_change", newType: "text", maxAffected: 100 } as const;
    const impact = await graph.assessImpact(workspace.id, query);
    expect(impact?.affected.map(({ fqn }) => fqn)).toContain("wh.mart.since.since");
  });

  it("A snapshot by check has versions that begin when a compared column differs", async () => {
    const { columns, sourcesOf } = await openSnapshot({
      strategy: "check",
      check_cols: ["country"],
      unique_key: ["id"],
    });
    expect(await columns()).toEqual(ALL);
    expect(await sourcesOf("dbt_valid_from")).toEqual(["country CONDITIONAL", "id WINDOW"]);
    expect(await sourcesOf("dbt_scd_id")).toEqual(["country CONDITIONAL", "id TRANSFORMATION", "id WINDOW"]);
  });

  it("A snapshot that checks all columns has versions that begin when any column differs", async () => {
    const { sourcesOf } = await openSnapshot({ strategy: "check", check_cols: "all" }, "select * from wh.raw.t");
    const uses = ["country CONDITIONAL", "id CONDITIONAL", "id WINDOW", "loaded CONDITIONAL"];
    expect(await sourcesOf("dbt_valid_from")).toEqual(uses);
  });

  it("The lineage of a snapshot with a strategy of the project's own is not known in full, with the reason", async () => {
    const { findNode } = await openSnapshot({ strategy: "by_hash" });
    const partial = { status: "partial", reason: `dbt's snapshot strategy "by_hash" is not known` };
    expect(await findNode("wh.mart.versions", "table")).toMatchObject({ columnLineage: partial });
    expect(await findNode("wh.mart.versions.dbt_valid_from", "column")).toMatchObject({ columnLineage: partial });
  });

  it("A semicolon after the SQL of a snapshot, and quotes around a name that dbt adds, change no lineage", async () => {
    const names = { dbt_updated_at: '"Updated At"', dbt_valid_to: null };
    const { columns, sourcesOf } = await openSnapshot(
      { strategy: "timestamp", updated_at: "loaded", snapshot_meta_column_names: names },
      "select id, country, loaded from wh.raw.t ;\n",
    );
    expect(await columns()).toEqual(ALL.map((name) => (name === "dbt_updated_at" ? "Updated At" : name)));
    expect(await sourcesOf("Updated At")).toEqual(["loaded IDENTITY"]);
    expect(await sourcesOf("country")).toEqual(["country IDENTITY"]);
  });

  it("If what dbt makes of a snapshot cannot be read, its own columns are known, and those that dbt adds have a gap", async () => {
    const { columns, sourcesOf, findNode } = await openSnapshot({ strategy: "timestamp", updated_at: "loaded at (" });
    expect(await columns()).toEqual(ALL);
    expect(await sourcesOf("country")).toEqual(["country IDENTITY"]);
    expect(await findNode("wh.mart.versions.country", "column")).toMatchObject({ columnLineage: { status: "known" } });
    const reason = "the SQL does not yield it: the tool that runs the SQL adds it";
    const added = await findNode("wh.mart.versions.dbt_valid_from", "column");
    expect(added).toMatchObject({ columnLineage: { status: "unknown", reason } });
    expect(await findNode("wh.mart.versions", "table")).toMatchObject({
      columnLineage: { status: "partial", reason: `dbt_scd_id: ${reason} (and 3 more of 7 columns)` },
    });
  });
});
