/** The manifest's nodes for what dbt builds: models, seeds and snapshots. */
import { createHash } from "node:crypto";

import { describe } from "./glossary.ts";
import type { Glossary } from "./glossary.ts";
import { render } from "./jinja.ts";
import type { Call } from "./jinja.ts";
import { CREATED_AT, DATABASE, PROJECT, fullName, patchPath, paths } from "./names.ts";
import type { Column, Model, Relation, Snapshot } from "./properties.ts";
import type { Described, Written } from "./read-project.ts";
import type { PlacedRelation, Relations } from "./relations.ts";

const DOCS = { show: true, node_color: null };

export function columnNodes(columns: Column[], glossary: Glossary) {
  return Object.fromEntries(
    columns.map(({ name, data_type, description, tags, granularity = null }) => {
      const words = describe(description, glossary);
      return [
        name,
        {
          name,
          description: words.description,
          meta: {},
          data_type,
          constraints: [],
          quote: null,
          config: { meta: {}, tags },
          tags,
          granularity,
          doc_blocks: words.doc_blocks,
        },
      ];
    }),
  );
}

function checksum(text: string) {
  return { name: "sha256", checksum: createHash("sha256").update(text.trim()).digest("hex") };
}

/** What every node has that becomes a relation. */
function relationNode(thing: Described<Relation>, file: string, placed: PlacedRelation, glossary: Glossary) {
  const { config } = placed;
  const words = describe(thing.properties.description, glossary);
  return {
    database: DATABASE,
    schema: placed.schema,
    name: placed.name,
    resource_type: placed.kind,
    package_name: PROJECT,
    ...paths(file),
    unique_id: placed.uniqueId,
    fqn: fullName(file, placed.name),
    alias: placed.name,
    config: {
      enabled: true,
      alias: null,
      schema: placed.schema,
      database: null,
      tags: config.tags,
      meta: config.meta,
      group: config.group ?? null,
      materialized: config.materialized ?? placed.kind,
      incremental_strategy: null,
      batch_size: null,
      lookback: 1,
      begin: null,
      persist_docs: {},
      "post-hook": [],
      "pre-hook": [],
      quoting: {},
      column_types: config.column_types ?? {},
      full_refresh: null,
      unique_key: config.unique_key ?? null,
      on_schema_change: "ignore",
      on_configuration_change: "apply",
      grants: {},
      packages: [],
      docs: DOCS,
      contract: { enforced: false, alias_types: true },
      event_time: null,
      concurrent_batches: null,
    },
    tags: config.tags,
    description: words.description,
    columns: columnNodes(thing.properties.columns, glossary),
    meta: config.meta,
    group: config.group ?? null,
    docs: DOCS,
    patch_path: patchPath(thing.path),
    build_path: null,
    unrendered_config: config,
    created_at: CREATED_AT,
    relation_name: placed.relationName,
    doc_blocks: words.doc_blocks,
  };
}

/** What every node has that is built by SQL. */
function compiledNode(file: string, sql: string, relations: Relations) {
  const { text, calls } = render(sql.trim(), (call) => relations.get(call).relationName);
  const named = (name: Call["name"]): string[][] => [
    ...new Map(
      calls.filter((call) => call.name === name).map((call) => [call.arguments.join("."), call.arguments]),
    ).values(),
  ];
  return {
    raw_code: sql.trim(),
    language: "sql",
    refs: named("ref").map(([name]) => ({ name, package: null, version: null })),
    sources: named("source"),
    metrics: [],
    depends_on: { macros: [], nodes: [...new Set(calls.map((call) => relations.get(call).uniqueId))] },
    compiled_path: `target/compiled/${PROJECT}/${file}`,
    compiled: true,
    compiled_code: text,
    extra_ctes_injected: true,
    extra_ctes: [],
    contract: { enforced: false, alias_types: true, checksum: null },
  };
}

function placedAs(name: string, relations: Relations): PlacedRelation {
  return relations.get({ name: "ref", arguments: [name] });
}

export function modelNode(model: Written<Model>, relations: Relations, glossary: Glossary) {
  const { name, columns, time_spine, deprecation_date } = model.properties;
  const node = relationNode(model, model.textPath, placedAs(name, relations), glossary);
  return {
    ...node,
    config: { ...node.config, access: "protected", freshness: null },
    checksum: checksum(model.text),
    ...compiledNode(model.textPath, model.text, relations),
    access: "protected",
    constraints: [],
    version: null,
    latest_version: null,
    deprecation_date: deprecation_date ?? null,
    primary_key: columns.filter((column) => column.data_tests.includes("unique")).map((column) => column.name),
    time_spine: time_spine === undefined ? null : { ...time_spine, custom_granularities: [] },
  };
}

export function seedNode(seed: Written<Relation>, relations: Relations, glossary: Glossary) {
  const node = relationNode(seed, seed.textPath, placedAs(seed.properties.name, relations), glossary);
  return {
    ...node,
    config: { ...node.config, delimiter: ",", quote_columns: null },
    checksum: checksum(seed.text),
    raw_code: "",
    root_path: null,
    depends_on: { macros: [] },
  };
}

export function snapshotNode(snapshot: Described<Snapshot>, relations: Relations, glossary: Glossary) {
  const { name, relation, config } = snapshot.properties;
  const file = `snapshots/${name}.sql`;
  const sql = `select * from {{ ${relation} }}`;
  const node = relationNode(snapshot, snapshot.path, placedAs(name, relations), glossary);
  return {
    ...node,
    config: {
      ...node.config,
      strategy: config.strategy ?? null,
      updated_at: config.updated_at ?? null,
      check_cols: null,
      target_schema: null,
      target_database: null,
      snapshot_meta_column_names: {
        dbt_valid_to: null,
        dbt_valid_from: null,
        dbt_scd_id: null,
        dbt_updated_at: null,
        dbt_is_deleted: null,
      },
      dbt_valid_to_current: null,
      hard_deletes: "ignore",
    },
    checksum: checksum(sql),
    ...compiledNode(file, sql, relations),
  };
}
