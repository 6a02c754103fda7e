/** Readers of a table that a pull request drops or moves, which read another one in its place. */
import { expect, it } from "vitest";

import { openDbtWhatIf } from "../support/dbt-what-if.ts";
import { catalog, entries, manifest, MODEL } from "../unit/connectors/dbt/project.ts";

const SEED = { ...MODEL, resource_type: "seed", config: { materialized: "seed" } };
const SEEN = { id: "integer", amount: "integer" };

interface Edit {
  schema?: string;
  /** The name of the seed; its columns are in no manifest. */
  seed?: string;
  /** The schema of the copy; null if there is none. */
  copied?: string | null;
  /** What the reader selects from. */
  from: string;
}

function project({ schema = "mart", seed = "raw", copied = schema, from }: Edit): object {
  const model = (name: string, on: string, sql: string) => {
    return { [`model.shop.${name}`]: { schema, compiled_code: sql, depends_on: { nodes: [on] } } };
  };
  const on = from.endsWith(".copy") ? "model.shop.copy" : "model.shop.base";
  const copy = copied === null ? {} : model("copy", "model.shop.base", `select * from wh.${schema}.base`);
  for (const each of Object.values(copy)) each.schema = copied ?? schema;
  return manifest({
    nodes: {
      ...entries({ [`seed.shop.${seed}`]: { schema } }, SEED),
      ...entries({
        ...model("base", `seed.shop.${seed}`, `select id, amount from wh.${schema}.${seed}`),
        ...copy,
        ...model("reader", on, `select id, amount * 2 as twice from wh.${from}`),
      }),
    },
  });
}

const SYNCED = { manifest: project({ from: "mart.copy" }), catalog: catalog({ "seed.shop.raw": SEEN }) };

it("A reader that no longer reads a dropped table is adapted", async () => {
  const { check } = await openDbtWhatIf(SYNCED);
  for (const schema of ["mart", "pr_7"]) {
    const { changes, summary, checks } = await check({
      manifest: project({ schema, copied: null, from: `${schema}.base` }),
    });
    expect(changes.map(({ kind, name }) => [kind, name])).toEqual([["asset_dropped", "copy"]]);
    expect({ affected: summary.total, unbuilt: checks.unbuilt }).toEqual({ affected: 0, unbuilt: [] });
  }
  const renamed = await check({ manifest: project({ seed: "raw_orders", from: "mart.copy" }) });
  expect(renamed.changes.map(({ kind, name }) => [kind, name])).toEqual([["asset_dropped", "raw"]]);
  expect({ affected: renamed.summary.total, unbuilt: renamed.checks.unbuilt }).toEqual({ affected: 0, unbuilt: [] });
});

it("A reader that no longer reads a moved table is adapted", async () => {
  const { check } = await openDbtWhatIf(SYNCED);
  const { changes, summary } = await check({ manifest: project({ copied: "archive", from: "mart.base" }) });
  expect(changes.map(({ kind, name }) => [kind, name])).toEqual([["asset_moved", "copy"]]);
  expect(summary.total).toBe(0);
});

it("A reader whose SQL still names a dropped table cannot be built", async () => {
  const { check } = await openDbtWhatIf(SYNCED);
  const { checks } = await check({ manifest: project({ copied: null, from: "mart.copy" }) });
  expect(checks.unbuilt.map(({ name }) => name)).toEqual(["reader"]);
});
