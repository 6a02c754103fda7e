/** Finds the relations that a statement names among those of the request. */
import type { SqlDialect } from "./dialect.ts";
import type { SqlFindings } from "./findings.ts";
import { findNamed, type Name, toName, toStoredName } from "./names.ts";
import { toRowset } from "./relation-columns.ts";
import type { Relation } from "./request.ts";
import { type Rowset, rowsetOf, unknownRowset } from "./rowset.ts";
import type { Identifier, Node } from "./syntax.ts";

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
function partsOf({ catalog, schema, name }: Node<"table">, dialect: SqlDialect): (Identifier | null)[] {
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
