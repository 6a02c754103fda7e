/** A manifest.json that a command of dbt wrote which compiled some models only, such as `dbt run --select x`. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { openDbtCrawl } from "../support/dbt-crawl.ts";
import { openDbtWhatIf } from "../support/dbt-what-if.ts";
import { makeTemporaryFolder } from "../support/metadata-store.ts";
import { entries, manifest, MODEL } from "../unit/connectors/dbt/project.ts";

const SOURCE = { ...MODEL, resource_type: "source", schema: "raw", source_name: "erp", config: {} };
const EPHEMERAL = "select id, amount as paid from wh.raw.t";
const CODE = {
  paid: { raw_code: "{{ e }}", compiled_code: EPHEMERAL, config: { materialized: "ephemeral" } },
  orders: {
    raw_code: "{{ o }}",
    compiled_code: `with __dbt__cte__paid as (${EPHEMERAL}) select id, paid from __dbt__cte__paid`,
  },
  daily: { raw_code: "{{ d }}", compiled_code: "select sum(paid) as paid from wh.mart.orders" },
};
const PARENTS: Record<string, string> = {
  paid: "source.shop.erp.t",
  orders: "model.shop.paid",
  daily: "model.shop.orders",
};

/**
 * @param compiled the models that the command selected
 * @param edited models with other code
 */
function manifestOf(compiled: readonly string[], edited: readonly string[] = []): object {
  const nodes = Object.entries(CODE).map(([name, code]) => {
    const own = { language: "sql", ...code, depends_on: { nodes: [PARENTS[name]] } };
    if (edited.includes(name)) own.raw_code += " -- edited";
    return [`model.shop.${name}`, compiled.includes(name) ? own : { ...own, compiled_code: null }] as const;
  });
  const columns = { id: { name: "id" }, amount: { name: "amount" } };
  return manifest({
    sources: entries({ "source.shop.erp.t": { columns } }, SOURCE),
    nodes: entries(Object.fromEntries(nodes)),
  });
}

async function openProject() {
  const folder = await makeTemporaryFolder();
  const { crawl, graph, workspace, ...found } = await openDbtCrawl(folder, ["manifest"]);
  const sync = async (compiled: readonly string[]) => {
    await writeFile(join(folder, "manifest.json"), JSON.stringify(manifestOf(compiled)));
    const { errors, ...outcome } = await crawl();
    return { ...outcome, errors: errors.map(({ severity, code, message }) => `${severity} ${code}: ${message}`) };
  };
  const listChanges = async () => {
    const span = { since: null, until: "9999-01-01T00:00:00.000Z" };
    const { items } = await graph.listChanges(workspace.id, span, { after: null, limit: 100 });
    return items.map(({ kind, node }) => `${kind} ${node.fqn}`);
  };
  const lineage = async () => {
    const paid = ["paid", "orders", "daily"].map((name) => found.findNode(`wh.mart.${name}.paid`, "column"));
    return Promise.all((await Promise.all(paid)).map(found.sourcesOf));
  };
  return { ...found, sync, listChanges, lineage };
}

const ALL = Object.keys(CODE);
const KNOWN = [
  ["wh.raw.t.amount IDENTITY amount"],
  ["wh.mart.paid.paid IDENTITY paid"],
  ["wh.mart.orders.paid AGGREGATION SUM(paid)"],
];

describe("a manifest.json in which some models are not compiled", () => {
  it("A sync after `dbt run --select` keeps the lineage of all other models, warns, and lists no change", async () => {
    const { sync, lineage, listChanges } = await openProject();
    expect((await sync(ALL)).errors).toEqual([]);
    expect(await lineage()).toEqual(KNOWN);
    const partial = await sync(["daily"]);
    expect(partial.errors).toEqual([
      "warning not_compiled: manifest.json has no compiled SQL for 2 of 3 models and snapshots (model.shop.paid, " +
        "model.shop.orders): its last command did not select them. What earlier syncs know of their SQL is kept. " +
        "Run `dbt compile`, and sync again.",
    ]);
    expect(partial.assetsUpdated).toBe(0);
    expect(await lineage()).toEqual(KNOWN);
    expect((await sync(ALL)).errors).toEqual([]);
    expect(await listChanges()).toEqual([]);
  });

  it("A first sync of such a manifest has an error for the models whose SQL is not known, and these have a gap", async () => {
    const { sync, findNode, lineage } = await openProject();
    expect((await sync(["orders", "daily"])).errors[1]).toBe(
      "error sql_untold: The SQL of wh.mart.paid is not known: the manifest has no compiled SQL of it.",
    );
    const node = await findNode("wh.mart.paid", "model");
    expect(node).toMatchObject({ sql: null, columnLineage: { status: "unknown" } });
    // What dbt wrote of it into the SQL of its reader is read there.
    expect(await findNode("wh.mart.orders.paid", "column")).toMatchObject({ columnLineage: { status: "known" } });
    await sync(ALL);
    expect(await lineage()).toEqual(KNOWN);
  });

  it("A pull request's manifest of that kind is no change, except for the models whose code it changes", async () => {
    const { check } = await openDbtWhatIf({ manifest: manifestOf(ALL) });
    const assess = async (edited: readonly string[]) => {
      const { changes, uncompared, affected, lineage } = await check({ manifest: manifestOf(["daily"], edited) });
      return { changes, affected, lineage: [...lineage.nodes, ...lineage.edges], uncompared };
    };
    const same = { changes: [], affected: [], lineage: [], uncompared: [] };
    expect(await assess([])).toEqual(same);
    const message = expect.stringMatching(/^could not be read: the manifest has no compiled SQL of it/);
    const uncompared = [{ object: "wh.mart.orders", message, unread: "model" }];
    expect(await assess(["orders"])).toEqual({ ...same, uncompared });
    await expect(check({ manifest: manifestOf([]) })).rejects.toThrow("contains no compiled SQL");
  });
});
