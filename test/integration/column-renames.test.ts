/** Which columns of a model count as renamed: those that its SQL computes as before, and nothing else could have become. */
import { expect, it } from "vitest";

import { openDbtWhatIf } from "../support/dbt-what-if.ts";
import { entries, manifest, MODEL } from "../unit/connectors/dbt/project.ts";

const NAMES = ["id", "tier", "rank", "gross", "country"];
const SOURCE = { ...MODEL, resource_type: "source", schema: "raw", source_name: "erp", config: {} };

function project(sql: string): object {
  const columns = Object.fromEntries(NAMES.map((name) => [name, { name }]));
  const model = { compiled_code: sql, depends_on: { nodes: ["source.shop.erp.t"] } };
  return manifest({
    sources: entries({ "source.shop.erp.t": { columns } }, SOURCE),
    nodes: entries({ "model.shop.m": model }),
  });
}

/** @returns what is told of the columns that go, such as `tier -> level: the same expression` */
async function compare(before: string, ...after: string[]): Promise<string[][]> {
  const { check } = await openDbtWhatIf({ manifest: project(`select ${before}`) });
  const told: string[][] = [];
  for (const sql of after) {
    const { changes } = await check({ manifest: project(`select ${sql}`) });
    told.push(changes.map(({ name, newName, because }) => `${name} -> ${newName || "gone"}: ${because}`));
  }
  return told;
}

it(
  "A column that is computed as before under another name is renamed, wherever it stands",
  { timeout: 300_000 },
  async () => {
    expect(
      await compare(
        "tier, id from wh.raw.t",
        "tier as level, id from wh.raw.t",
        "id, tier as level from wh.raw.t",
        "id, s.tier as level from wh.raw.t as s where s.gross > 0",
      ),
    ).toEqual([
      ["tier -> level: the same place, the same expression"],
      ["tier -> level: the same expression"],
      ["tier -> level: the same expression"],
    ]);
    const band = "case when gross > 5 and country = 'x' then 'a' else 'b' end";
    expect(await compare(`id, ${band} as tier from wh.raw.t`, `${band} as level, id from wh.raw.t`)).toEqual([
      ["tier -> level: the same expression"],
    ]);
  },
);

it("No column is renamed if several could be what it became, and no name says which", async () => {
  expect(
    await compare(
      "id, tier from wh.raw.t",
      "id, tier as level, tier as grade from wh.raw.t",
      "id, upper(tier) as level, lower(tier) as grade from wh.raw.t",
      "id, tier as level, lower(tier) as grade from wh.raw.t",
      "id, tier as level, tier as tier_code from wh.raw.t",
      "id, rank as level from wh.raw.t",
    ),
  ).toEqual([
    ["tier -> gone: "],
    ["tier -> gone: "],
    ["tier -> level: the same place, the same expression"],
    ["tier -> tier_code: a similar name, made from the same columns"],
    ["tier -> gone: "],
  ]);
  expect(await compare("id, tier, tier as kind from wh.raw.t", "id, tier as level from wh.raw.t")).toEqual([
    ["tier -> gone: ", "kind -> gone: "],
  ]);
});

function copyOf(model: string) {
  return { compiled_code: `select * from wh.mart.${model}`, depends_on: { nodes: [`model.shop.${model}`] } };
}

function copies(column: string): object {
  const sql = `select id, tier as ${column} from wh.raw.t`;
  const base = { compiled_code: sql, depends_on: { nodes: ["source.shop.erp.t"] } };
  const models = { "model.shop.a": copyOf("b"), "model.shop.b": copyOf("z"), "model.shop.z": base };
  const columns = Object.fromEntries(NAMES.map((name) => [name, { name }]));
  return manifest({ sources: entries({ "source.shop.erp.t": { columns } }, SOURCE), nodes: entries(models) });
}

it("A renamed column is told before its copies, which follow from it", async () => {
  const { check } = await openDbtWhatIf({ manifest: copies("tier") });
  const { changes } = await check({ manifest: copies("level") });
  expect(changes.map(({ fqn, newName }) => `${fqn} ${newName}`)).toEqual([
    "wh.mart.z.tier level",
    "wh.mart.a.tier level",
    "wh.mart.b.tier level",
  ]);
});
