/** catalog.json in dbt's schema v1: the relations as the warehouse has them, with their columns in order. */
import { DATABASE, DBT_VERSION, GENERATED_AT, INVOCATION_ID } from "./names.ts";
import type { PlacedRelation, Relations } from "./relations.ts";

function entry(relation: PlacedRelation) {
  return {
    metadata: {
      type: relation.config.materialized === "view" ? "VIEW" : "BASE TABLE",
      schema: relation.schema,
      name: relation.name,
      database: DATABASE,
      comment: null,
      owner: relation.loader === "" ? "dbt" : relation.loader.toLowerCase(),
    },
    columns: Object.fromEntries(
      relation.columns.map(({ name, data_type }, position) => [
        name,
        { type: data_type, index: position + 1, name, comment: null },
      ]),
    ),
    stats: {
      has_stats: {
        id: "has_stats",
        label: "Has Stats?",
        value: false,
        include: false,
        description: "Indicates whether there are statistics for this table",
      },
    },
    unique_id: relation.uniqueId,
  };
}

function entries(relations: PlacedRelation[]) {
  return Object.fromEntries(relations.map((relation) => [relation.uniqueId, entry(relation)]));
}

export function buildCatalog({ all }: Relations) {
  return {
    metadata: {
      dbt_schema_version: "https://schemas.getdbt.com/dbt/catalog/v1.json",
      dbt_version: DBT_VERSION,
      generated_at: GENERATED_AT,
      invocation_id: INVOCATION_ID,
      invocation_started_at: GENERATED_AT,
      env: {},
    },
    nodes: entries(all.filter(({ kind }) => kind !== "source")),
    sources: entries(all.filter(({ kind }) => kind === "source")),
    errors: null,
  };
}
