/** A generated dbt project. Each model reads one to three earlier ones and has 12 columns. */

const COLUMNS = Array.from({ length: 12 }, (_, at) => `column_${at}`);

const id = (at: number) => `model.shop.model_${at}`;
const relation = (at: number) => `warehouse.marts.model_${at}`;

/** Earlier models, near and far. */
function parentsOf(at: number): number[] {
  return [...new Set([at >> 1, Math.floor(at / 3), Math.floor(at * 0.9)])].filter((parent) => parent < at);
}

function sqlOf(at: number, version: number): string {
  const parents = parentsOf(at);
  const [first = 0, ...others] = parents;
  if (parents.length === 0) return `select ${COLUMNS.map((name, i) => `${i} as ${name}`).join(", ")}`;
  const listed = COLUMNS.map((name, i) => {
    const from = `p${i % parents.length}`;
    if (i % 5 === 4) return `coalesce(sum(${from}.${name}), ${version}) as ${name}`;
    return `${from}.${name} as ${name}`;
  });
  const joins = others.map(
    (parent, i) => `left join ${relation(parent)} as p${i + 1} on p0.column_0 = p${i + 1}.column_0`,
  );
  const grouped = COLUMNS.flatMap((name, i) => (i % 5 === 4 ? [] : [`p${i % parents.length}.${name}`]));
  return `with base as (select * from ${relation(first)})\nselect ${listed.join(",\n  ")}\nfrom base as p0\n${joins.join("\n")}\nwhere p0.column_1 is not null group by ${grouped.join(", ")}`;
}

function model(at: number, version: number) {
  const columns = COLUMNS.map((name) => [name, { name, description: `What ${name} of model ${at} means.` }]);
  return {
    package_name: "shop",
    name: `model_${at}`,
    alias: `model_${at}`,
    database: "warehouse",
    schema: "marts",
    description: `Model ${at}, generated.`,
    columns: Object.fromEntries(columns),
    config: { materialized: "table", meta: {}, tags: ["generated"] },
    depends_on: { nodes: parentsOf(at).map(id) },
    compiled_code: sqlOf(at, version),
  };
}

const schema = (kind: string) => `https://schemas.getdbt.com/dbt/${kind}.json`;

/**
 * @param count models
 * @param versionOf a model of another version has other SQL
 */
export function makeDbtProject(count: number, versionOf: (at: number) => number) {
  const all = Array.from({ length: count }, (_, at) => at);
  const listed = COLUMNS.map((name, index) => [name, { name, type: "integer", index: index + 1 }]);
  return {
    "manifest.json": {
      metadata: { dbt_schema_version: schema("manifest/v12"), adapter_type: "postgres", project_name: "shop" },
      nodes: Object.fromEntries(all.map((at) => [id(at), model(at, versionOf(at))])),
    },
    "catalog.json": {
      metadata: { dbt_schema_version: schema("catalog/v1") },
      nodes: Object.fromEntries(all.map((at) => [id(at), { metadata: {}, columns: Object.fromEntries(listed) }])),
    },
  };
}
