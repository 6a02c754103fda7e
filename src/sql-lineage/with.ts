/** Named queries of a WITH clause. */
import { type Name, toName } from "./names.ts";
import { type Rowset, renamed } from "./rowset.ts";
import type { CommonTables, Environment } from "./scope.ts";
import type { Node } from "./syntax.ts";

type With = NonNullable<Node<"select">["with"]>;
type Cte = With["ctes"][number];

/** Parents only ever grow, so that a recursion settles; a chain of columns through more turns than this is cut. */
const MAX_TURNS = 20;

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

/** `a union all b`, where b reads the whole: begins with a, then reads b until nothing new comes. */
function readRecursive(
  query: Node<"union">,
  cte: Cte,
  name: Name,
  names: readonly Name[],
  environment: Environment,
): Rowset {
  let rowset = renamed(environment.resolveQuery(query.left, environment), names);
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const seen = rowset;
    const ctes = { name, rowset: seen, outer: environment.ctes };
    rowset = renamed(environment.resolveQuery(cte.this, { ...environment, ctes }), names);
    if (size(rowset) === size(seen)) break;
  }
  return rowset;
}

/** Whether a CTE that names itself means itself, and not a relation of the same name. */
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
  return renamed(environment.resolveQuery(query, environment), names);
}

/** The environment of the query behind the clause. Each CTE sees those before it. */
export function withTables(clause: With | null | undefined, environment: Environment): Environment {
  let ctes: CommonTables | null = environment.ctes;
  if (clause === null || clause === undefined) return environment;
  for (const cte of clause.ctes) {
    // ClickHouse's values of this form belong to the select itself.
    if (!cte.alias_first) continue;
    const name = toName(cte.alias, environment.dialect);
    const before: Environment = { ...environment, ctes };
    const inlined = environment.relations.findInlined(name);
    // The names in an ephemeral model's text are named by that model.
    if (inlined !== null) environment.findings.markHandled(cte.this);
    ctes = { name, rowset: inlined ?? readCte(cte, name, clause, before), outer: ctes };
  }
  return { ...environment, ctes };
}
