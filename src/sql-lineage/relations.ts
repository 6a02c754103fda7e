/** Finds the relations that a statement names among those that were given. */
import type { SqlDialect } from "./dialect.ts";
import { stored } from "./lineage.ts";
import { findNamed, type Name, toName, toStoredName } from "./names.ts";
import type { Relation } from "./request.ts";
import { type Rowset, rowsetOf, unknownRowset } from "./rowset.ts";
import type { Identifier, Node } from "./syntax.ts";

interface Known {
  name: Name;
  relation: Relation;
  rowset: Rowset;
}

function toRowset(relation: Relation, index: number, dialect: SqlDialect): Rowset {
  const columns = relation.columns.map((column) => ({
    name: toStoredName(column, dialect),
    lineage: stored({ relation: index, column }),
  }));
  const rowset = rowsetOf(columns);
  if (columns.length > 0) return rowset;
  const reason = `the columns of ${relation.name} are not known`;
  return { ...rowset, unlisted: { reason, find: ({ text }) => stored({ relation: index, column: text }) } };
}

/** Names without case: the case in which connectors and statements write databases and schemas differs freely. */
function agrees(written: Identifier | string | null, known: string): boolean {
  const text = typeof written === "object" ? written?.name : written;
  return text === undefined || known === "" || text.toLowerCase() === known.toLowerCase();
}

/** BigQuery's quotes may hold the whole path: `project.dataset.table`. */
function partsOf({ catalog, schema, name }: Node<"table">, dialect: SqlDialect): (Identifier | null)[] {
  if (dialect.parser !== "bigquery" || !name.name.includes(".")) return [catalog, schema, name];
  const parts = name.name
    .split(".")
    .map((part): Identifier => ({ name: part, quoted: name.quoted, trailing_comments: [] }));
  return [null, null, ...parts].slice(-3);
}

/** @returns finds what a table that is no CTE yields */
export function createRelations(relations: readonly Relation[], dialect: SqlDialect): (table: Node<"table">) => Rowset {
  const known: Known[] = relations.map((relation, index) => ({
    name: toStoredName(relation.name, dialect),
    relation,
    rowset: toRowset(relation, index, dialect),
  }));
  return (table) => {
    const [catalog = null, schema = null, name = table.name] = partsOf(table, dialect);
    const inPlace = known.filter(
      ({ relation }) => agrees(catalog, relation.database) && agrees(schema, relation.schema),
    );
    const found = findNamed(inPlace, toName(name ?? table.name, dialect));
    const path = [catalog, schema, name].flatMap((part) => (part === null ? [] : [part.name])).join(".");
    if (found.length > 1) return unknownRowset(`${path} may be one of ${found.length} relations`);
    if (found[0] !== undefined) return found[0].rowset;
    if (path.toLowerCase() === "dual") return rowsetOf([]);
    return unknownRowset(`the relation ${path} is not known`);
  };
}
