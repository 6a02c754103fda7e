/** Named queries of a WITH clause. */
import { type Name, toName } from "./names.ts";
import { type Rowset, renamed } from "./rowset.ts";
import type { CommonTables, Environment } from "./scope.ts";
import type { Node } from "./syntax.ts";

type With = NonNullable<Node<"select">["with"]>;
type Cte = With["ctes"][number];

/** A recursive CTE is read until no round finds new parents. After this many rounds, it is left as it is. */
const MAX_ROUNDS = 20;

function namesTable(node: unknown, name: Name, environment: Environment): boolean {
  if (typeof node !== "object" || node === null) return false;
  if (Array.isArray(node)) return node.some((item) => namesTable(item, name, environment));
  if ("table" in node && typeof node.table === "object" && node.table !== null && "schema" in node.table) {
    // A node of this tag holds a table.
    const table = node.table as Node<"table">;
    if (table.schema === null && toName(table.name, environment.dialect).stored === name.stored) return true;
  }
  return Object.values(node).some((child) => namesTable(child, name, environment));
}

function size({ columns, rows }: Rowset): number {
  return columns.reduce((sum, { lineage }) => sum + lineage.uses.size, rows.uses.size);
}

/** `a union all b`, in which b reads the whole CTE: begins with a, then reads the union again until nothing changes. */
function readRecursive(
  query: Node<"union">,
  cte: Cte,
  name: Name,
  names: readonly Name[],
  environment: Environment,
): Rowset {
  let rowset = renamed(environment.resolveQuery(query.left, environment), names);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const seen = rowset;
    const ctes = { name, rowset: seen, outer: environment.ctes };
    rowset = renamed(environment.resolveQuery(cte.this, { ...environment, ctes }), names);
    if (size(rowset) === size(seen)) break;
  }
  return rowset;
}

/** Whether a CTE that contains its own name is recursive. If not, the name means a relation. */
function isRecursive(query: Node<"union">, name: Name, clause: With, environment: Environment): boolean {
  const keyword = !["tsql", "oracle", "snowflake", "fabric", "teradata"].includes(environment.dialect.parser);
  if (keyword && !clause.recursive) return false;
  return namesTable(query.right, name, environment) && !namesTable(query.left, name, environment);
}

function readCte(cte: Cte, name: Name, clause: With, environment: Environment): Rowset {
  const names = cte.columns.map((column) => toName(column, environment.dialect));
  const query = cte.this;
  if ("union" in query && isRecursive(query.union, name, clause, environment)) {
    return readRecursive(query.union, cte, name, names, environment);
  }
  const rowset = environment.resolveQuery(query, environment);
  if (names.length > 0) environment.findings.addByPosition(rowset.columns);
  return renamed(rowset, names);
}

/** The environment of the query after the clause. Each CTE sees those before it. */
export function withTables(clause: With | null | undefined, environment: Environment): Environment {
  let ctes: CommonTables | null = environment.ctes;
  if (clause === null || clause === undefined) return environment;
  for (const cte of clause.ctes) {
    // ClickHouse's `with expression as name` is read with the SELECT itself.
    if (!cte.alias_first) continue;
    const name = toName(cte.alias, environment.dialect);
    const before: Environment = { ...environment, ctes };
    const inlined = environment.relations.findInlined(name);
    // The names in an ephemeral model's SQL count for that model, not for this statement.
    if (inlined !== null) environment.findings.markHandled(cte.this);
    ctes = { name, rowset: inlined ?? readCte(cte, name, clause, before), outer: ctes };
  }
  return { ...environment, ctes };
}
