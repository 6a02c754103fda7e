/** Pull requests of a project with a seed, whose columns are in no manifest. */
import { expect, it } from "vitest";

import { openDbtWhatIf } from "../support/dbt-what-if.ts";
import { catalog, entries, manifest, MODEL } from "../unit/connectors/dbt/project.ts";

/**
 * @param selected what the model over the seed selects
 * @param documented the columns of the seed in its documentation
 */
function project(
  schema: string,
  selected = "id, amount",
  checksum = { name: "sha256", checksum: "a" },
  documented: readonly string[] = [],
): object {
  const columns = Object.fromEntries(documented.map((name) => [name, { name }]));
  const code = { compiled_code: `select ${selected} from wh.${schema}.raw`, depends_on: { nodes: ["seed.shop.raw"] } };
  return manifest({
    nodes: {
      ...entries(
        { "seed.shop.raw": { schema, checksum, columns } },
        { ...MODEL, resource_type: "seed", config: { materialized: "seed" } },
      ),
      ...entries({ "model.shop.orders": { schema, ...code } }),
    },
    semantic_models: entries({
      "semantic_model.shop.orders": {
        depends_on: { nodes: ["model.shop.orders"] },
        node_relation: { database: "wh", schema_name: schema, alias: "orders" },
        measures: [{ name: "revenue", agg: "sum", expr: "amount" }],
      },
    }),
    metrics: entries({ "metric.shop.revenue": { type: "simple", type_params: { measure: { name: "revenue" } } } }),
  });
}

const SYNCED = {
  manifest: project("mart"),
  catalog: catalog({ "seed.shop.raw": { id: "integer", amount: "integer" } }),
};

it("The same project for another target lets no certification lapse", async () => {
  const { check } = await openDbtWhatIf(SYNCED);
  const { changes, lapses, lineage } = await check({ manifest: project("pr_7") });
  expect({ changes, lapses: lapses.metrics, nodes: lineage.nodes }).toEqual({ changes: [], lapses: [], nodes: [] });
});

it("A renamed column that comes from a seed is recognised in any target, and lets the same certifications lapse", async () => {
  const { check } = await openDbtWhatIf(SYNCED);
  const [here, elsewhere] = [
    await check({ manifest: project("mart", "id, amount as amt") }),
    await check({ manifest: project("pr_7", "id, amount as amt") }),
  ];
  expect(here.changes).toMatchObject([{ kind: "column_renamed", name: "amount", newName: "amt" }]);
  expect(elsewhere.changes).toEqual(here.changes);
  expect(here.lapses.total).toBe(1);
  expect(elsewhere.lapses).toEqual(here.lapses);
});

it("A seed with another file is told as not compared, unless a catalog lists its columns", async () => {
  const { check } = await openDbtWhatIf(SYNCED);
  const changed = project("pr_7", "id, amount", { name: "sha256", checksum: "b" });
  const large = project("pr_7", "id, amount", { name: "path", checksum: "seeds/raw.csv" });
  const [same, other, path] = await Promise.all(
    [project("pr_7"), changed, large].map(async (next) => {
      const { changes, uncompared } = await check({ manifest: next });
      expect(changes).toEqual([]);
      return uncompared.filter(({ object }) => object !== "");
    }),
  );
  const message =
    "its file changed, and only a catalog.json would list its columns; whether it still has `id`, `amount` is not known";
  expect(other).toEqual([{ object: "wh.pr_7.raw", message, unread: null }]);
  // Of a large seed, dbt tells only the path.
  expect([same, path]).toEqual([[], []]);
  const listed = await check({ manifest: changed, catalog: catalog({ "seed.shop.raw": { id: "integer" } }) });
  expect(listed.changes).toMatchObject([{ kind: "column_dropped", fqn: "wh.mart.raw.amount" }]);
});

it("A seed with the same file keeps a column that is not documented any more, and so does what selects it", async () => {
  const seed = { name: "sha256", checksum: "a" };
  const { check } = await openDbtWhatIf({ ...SYNCED, manifest: project("mart", "*", seed, ["id", "amount"]) });
  for (const schema of ["mart", "pr_7"]) {
    const { changes, uncompared } = await check({ manifest: project(schema, "*", seed, ["id"]) });
    const told = uncompared.filter(({ object }) => object !== "");
    expect({ changes, told }).toEqual({ changes: [], told: [] });
  }
});
