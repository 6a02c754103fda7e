/** Finds the relations that a statement names among those of the request. */
import type { SqlDialect } from "./dialect.ts";
import type { SqlFindings } from "./findings.ts";
import { findNamed, type Name, toName, toStoredName } from "./names.ts";
import type { Relation } from "./request.ts";
import { type Rowset, rowsetOf, unknownRowset } from "./rowset.ts";
import type { Identifier, Node } from "./syntax.ts";
import type { Guess, Unlisted } from "./guesses.ts";
import { NOTHING, type Origin, stored } from "./lineage.ts";

interface Known {
  /** The index of the relation in the request. */
  index: number;
  name: Name;
  relation: Relation;
  rowset: Rowset;
}

export interface Relations {
  /** Finds the columns of a table that is not a CTE. An unknown table yields an unknown rowset. */
  find: (table: Node<"table">) => Rowset;
  /** The index of the relation in the request; null if the table means none or may mean several. */
  indexOf: (table: Node<"table">) => number | null;
  /** Finds the relation that dbt wrote into the statement as the CTE of this name. Returns null if there is none. */
  findInlined: (cte: Name) => Rowset | null;
  /** @param folded the CTE's folded name */
  indexOfInlined: (folded: string) => number | null;
}

/** Compares without case, because connectors and statements write databases and schemas in different cases. */
function agrees(written: Identifier | string | null, known: string): boolean {
  const text = typeof written === "object" ? written?.name : written;
  return text === undefined || known === "" || text.toLowerCase() === known.toLowerCase();
}

/** In BigQuery, one pair of quotes may contain the whole path: `project.dataset.table`. */
export function partsOf({ catalog, schema, name }: Node<"table">, dialect: SqlDialect): (Identifier | null)[] {
  if (dialect.parser !== "bigquery" || !name.name.includes(".")) return [catalog, schema, name];
  const parts = name.name
    .split(".")
    .map((part): Identifier => ({ name: part, quoted: name.quoted, trailing_comments: [] }));
  return [null, null, ...parts].slice(-3);
}

export function createRelations(relations: readonly Relation[], dialect: SqlDialect, findings: SqlFindings): Relations {
  const all: Known[] = relations.map((relation, index) => ({
    index,
    name: toStoredName(relation.name, dialect),
    relation,
    rowset: toRowset(relation, index, dialect),
  }));
  const inlined = new Map(all.map((each) => [each.relation.inlinedAs.toLowerCase(), each]));
  inlined.delete("");
  // An ephemeral model is not in the warehouse, so no table name can mean it.
  const known = all.filter(({ relation }) => relation.inlinedAs === "");
  const findAll = (table: Node<"table">): Known[] => {
    const [catalog = null, schema = null, name] = partsOf(table, dialect);
    const inSchema = known.filter(
      ({ relation }) => agrees(catalog, relation.database) && agrees(schema, relation.schema),
    );
    return findNamed(inSchema, toName(name ?? table.name, dialect));
  };
  return {
    find(table) {
      const [catalog = null, schema = null, name = table.name] = partsOf(table, dialect);
      const found = findAll(table);
      const path = [catalog, schema, name].flatMap((part) => (part === null ? [] : [part.name])).join(".");
      if (found.length > 1) return unknownRowset(`${path} may be one of ${found.length} relations`);
      if (found[0] !== undefined) return found[0].rowset;
      if (path.toLowerCase() === "dual") return rowsetOf([]);
      findings.addUnfound({
        database: catalog?.name ?? "",
        schema: schema?.name ?? "",
        name: (name ?? table.name).name,
      });
      return unknownRowset(`the relation ${path} is not known`);
    },
    indexOf(table) {
      const [only, ...others] = findAll(table);
      return only === undefined || others.length > 0 ? null : only.index;
    },
    findInlined: ({ folded }) => inlined.get(folded)?.rowset ?? null,
    indexOfInlined: (folded) => inlined.get(folded)?.index ?? null,
  };
}

/** A column whose fields are listed as columns: `address`, for `address.city`. */
interface Root {
  /** As its first listed field spells it. */
  name: string;
  /** The listed columns, by the field's path in lower case. */
  fields: Map<string, string>;
}

function findRoots(columns: readonly string[]): Map<string, Root> {
  const roots = new Map<string, Root>();
  for (const column of columns) {
    const [name = "", ...path] = column.split(".");
    if (path.length === 0) continue;
    const root = roots.get(name.toLowerCase()) ?? { name, fields: new Map<string, string>() };
    root.fields.set(path.join(".").toLowerCase(), column);
    roots.set(name.toLowerCase(), root);
  }
  return roots;
}

/** Whether the column is a field of another listed column. */
function isField(column: string, listed: ReadonlySet<string>): boolean {
  const path = column.toLowerCase().split(".");
  return path.some((_, i) => i > 0 && listed.has(path.slice(0, i).join(".")));
}

/** @param index of the relation in the request */
function toRowset(relation: Relation, index: number, dialect: SqlDialect): Rowset {
  const roots = findRoots(relation.columns);
  const listed = new Set(relation.columns.map((column) => column.toLowerCase()));
  const toOrigin = (column: string): Origin => {
    const fields = roots.get(column.toLowerCase())?.fields;
    return { relation: index, column, ...(fields === undefined ? {} : { fields }) };
  };
  const columns = relation.columns
    .filter((column) => !isField(column, listed))
    .map((column) => ({ name: toStoredName(column, dialect), lineage: stored(toOrigin(column)) }));
  const unlisted = unlistedOf(relation, roots, toOrigin);
  return { columns, unlisted, rows: NOTHING, order: NOTHING };
}

function unlistedOf(
  { name: relation, columns, completeness }: Relation,
  roots: ReadonlyMap<string, Root>,
  toOrigin: (column: string) => Origin,
): Unlisted | null {
  if (completeness === "all" && roots.size === 0) return null;
  const likelihood = completeness === "some" ? "likely" : "unlikely";
  const find = ({ text, folded }: Name): Guess | null => {
    const root = roots.get(folded);
    if (root !== undefined)
      return { lineage: stored({ ...toOrigin(root.name), implied: true }), likelihood: "certain" };
    return completeness === "all" ? null : { lineage: stored(toOrigin(text)), likelihood };
  };
  const known = columns.length === 0 ? "known" : "all known";
  return { reason: completeness === "some" ? `the columns of ${relation} are not ${known}` : null, find };
}
