/** States one relation as an asset. */
import type { ColumnLineage } from "../../catalog/asset.ts";
import { isEmailAddress } from "../../catalog/email.ts";
import { columnRef, type NodeRef } from "../../catalog/identity.ts";
import type { AssetStatement, ColumnStatement, EdgeStatement } from "../../catalog/statement.ts";
import { withoutEmpty } from "../shapes.ts";
import type { GeneratedColumn } from "./generated-columns.ts";
import type { LeftOutColumn } from "./left-out-columns.ts";
import type { ColumnRow, RelationRow } from "./relations.ts";

const PLATFORM = "postgres";

const MATERIALIZATIONS: Readonly<Record<RelationRow["kind"], string>> = {
  r: "table",
  p: "partitioned_table",
  v: "view",
  m: "materialized_view",
  f: "foreign_table",
};

/** @param parts database, schema and relation */
export function toRef(instance: string, parts: readonly string[]): NodeRef {
  return { platform: PLATFORM, instance, type: "table", parts };
}

export interface FoundRelation {
  ref: NodeRef;
  row: RelationRow;
  columns: readonly ColumnRow[];
  /** By their names. */
  generated: ReadonlyMap<string, GeneratedColumn>;
  /** Columns that are left out because of their names. */
  left: readonly LeftOutColumn[];
  /** Relations that are left out, because their names differ from its own only in case. */
  alikeNames: string[];
  /** Null if it is no view. */
  sql: string | null;
  /** Why its SQL could not be read, if it has one; null if it was. */
  sqlUntold: string | null;
  /** Why its lineage may be missing; "" if it is not. */
  gap: string;
  /** Why it may read more than its SQL names; "" if it does not. */
  readsMore: string;
  /** Names of the columns of its primary key. */
  primaryKey: readonly string[];
  /** For a foreign table: the relation that it shows, if it is known. */
  remote: string;
  /** Names of the columns with origins in the catalog of the database; null if there are none. */
  traced: string[] | null;
}

export function stateRelation(found: FoundRelation): AssetStatement {
  const { ref, row, columns, generated, left, alikeNames, sql, sqlUntold, gap, readsMore, primaryKey, remote, traced } =
    found;
  return {
    ref,
    name: row.name,
    facts: {
      gap,
      alikeNames,
      description: row.comment,
      ...(isEmailAddress(row.owner) ? { owner: row.owner } : { ownerName: row.owner }),
      ownedByRole: true,
      sql,
      materialization: MATERIALIZATIONS[row.kind],
      // Under one key, so that it replaces nothing that people wrote in the meta of a dbt project.
      meta: withoutEmpty({ [PLATFORM]: describe(row, { columns, primaryKey, remote }) }),
    },
    columns: columns.map((column) => stateColumn(column, left, generated.get(column.name)?.lineage)),
    columnsSeen: true,
    ...(readsMore === "" ? {} : { readsMore }),
    ...(sql === null && sqlUntold === null ? {} : { sourcesComplete: true }),
    ...(sqlUntold === null ? {} : { sqlUntold }),
    ...(traced === null ? {} : { columnsTraced: traced }),
  };
}

function stateColumn(
  { number, name, type, comment }: ColumnRow,
  left: readonly LeftOutColumn[],
  columnLineage: ColumnLineage | undefined,
): ColumnStatement {
  const alikeNames = left.filter(({ kept }) => kept === number).map((column) => column.name);
  const more = { ...(alikeNames.length > 0 && { alikeNames }), ...(columnLineage && { columnLineage }) };
  return { name, dataType: type, description: comment, tags: [], ...more };
}

function describe(
  { rows, partitionKey, partitions, server, wrapper }: RelationRow,
  { columns, primaryKey, remote }: Pick<FoundRelation, "columns" | "primaryKey" | "remote">,
): Record<string, unknown> {
  return withoutEmpty({
    // Two digits of the planner's estimate, so that an asset does not seem changed whenever some rows were added.
    rows_estimate: rows < 0 ? null : Number(rows.toPrecision(2)),
    primary_key: primaryKey,
    not_null: columns.filter((column) => column.required).map(({ name }) => name),
    partitioned_by: partitionKey,
    partitions: partitionKey === "" ? null : partitions,
    foreign_server: server,
    foreign_data_wrapper: wrapper,
    remote_relation: remote,
  });
}

/** A relation whose rows are also rows of another one. */
export interface CopiedRelation {
  ref: NodeRef;
  /** The name of the column that is copied; null if it cannot be named. */
  nameOf: (column: ColumnRow) => string | null;
}

/**
 * Traces columns whose values are those of other columns: of a table with children, and of a foreign table.
 * @param columns those of the relation that shows the rows of the others
 */
export function traceCopies(ref: NodeRef, columns: readonly ColumnRow[], copied: readonly CopiedRelation[]) {
  /** Names of the columns of which all origins are known. */
  const traced: string[] = [];
  const edges: EdgeStatement[] = [];
  for (const column of columns) {
    const origins = copied.map((relation) => {
      const name = relation.nameOf(column);
      return name === null ? null : { from: columnRef(relation.ref, name), name };
    });
    const known = origins.filter((origin) => origin !== null);
    if (known.length === origins.length) traced.push(column.name);
    for (const { from, name } of known) {
      const use = { kind: "DIRECT", transformation: "IDENTITY", expression: name } as const;
      edges.push({ from, to: columnRef(ref, column.name), kind: "derives", uses: [use] });
    }
  }
  return { traced, edges };
}
