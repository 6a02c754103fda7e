/** The manifest's nodes for the tests that columns ask for. */
import { createHash } from "node:crypto";

import { CREATED_AT, DATABASE, PROJECT, fullName, uniqueId } from "./names.ts";
import type { Relation } from "./properties.ts";
import type { Described } from "./read-project.ts";
import type { PlacedRelation, Relations } from "./relations.ts";

type TestName = "unique" | "not_null";

/** The SQL that dbt's own generic tests compile to: it finds the rows at fault. */
function compiledTest(test: TestName, column: string, relationName: string): string {
  return test === "not_null"
    ? `select ${column}\nfrom ${relationName}\nwhere ${column} is null`
    : `select\n    ${column} as unique_field,\n    count(*) as n_records\n\nfrom ${relationName}\n` +
        `where ${column} is not null\ngroup by ${column}\nhaving count(*) > 1`;
}

function testNode(test: TestName, column: string, path: string, placed: PlacedRelation) {
  const name = `${test}_${placed.name}_${column}`;
  const schema = "dbt_test__audit";
  return {
    database: DATABASE,
    schema,
    name,
    resource_type: "test",
    package_name: PROJECT,
    path: `${name}.sql`,
    original_file_path: path,
    unique_id: uniqueId("test", name, createHash("md5").update(name).digest("hex").slice(0, 10)),
    fqn: fullName(path, name),
    alias: name,
    checksum: { name: "none", checksum: "" },
    config: {
      enabled: true,
      alias: null,
      schema,
      database: null,
      tags: [],
      meta: {},
      group: null,
      materialized: "test",
      severity: "ERROR",
      store_failures: null,
      store_failures_as: null,
      where: null,
      limit: null,
      fail_calc: "count(*)",
      warn_if: "!= 0",
      error_if: "!= 0",
    },
    tags: [],
    description: "",
    columns: {},
    meta: {},
    group: placed.config.group ?? null,
    docs: { show: true, node_color: null },
    patch_path: null,
    build_path: null,
    unrendered_config: {},
    created_at: CREATED_AT,
    relation_name: null,
    raw_code: `{{ test_${test}(**_dbt_generic_test_kwargs) }}`,
    doc_blocks: [],
    language: "sql",
    refs: [{ name: placed.name, package: null, version: null }],
    sources: [],
    metrics: [],
    depends_on: {
      macros: [`macro.dbt.test_${test}`, "macro.dbt.get_where_subquery"],
      nodes: [placed.uniqueId],
    },
    compiled_path: `target/compiled/${PROJECT}/${path}/${name}.sql`,
    compiled: true,
    compiled_code: compiledTest(test, column, placed.relationName),
    extra_ctes_injected: true,
    extra_ctes: [],
    contract: { enforced: false, alias_types: true, checksum: null },
    column_name: column,
    file_key_name: `${path.split("/")[0]}.${placed.name}`,
    attached_node: placed.uniqueId,
    test_metadata: {
      name: test,
      kwargs: { column_name: column, model: `{{ get_where_subquery(ref('${placed.name}')) }}` },
      namespace: null,
    },
  };
}

/** One node for each test on each column of a relation. */
export function testNodes({ properties, path }: Described<Relation>, relations: Relations) {
  const placed = relations.get({ name: "ref", arguments: [properties.name] });
  return properties.columns.flatMap((column) =>
    column.data_tests.map((test) => testNode(test, column.name, path, placed)),
  );
}
