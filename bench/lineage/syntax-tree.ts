/** The judge's questions about a syntax tree from DuckDB's `json_serialize_sql`. */
import { fold } from "./project.ts";

type Node = Record<string, unknown>;

/** Every object of a tree, in any order. */
function* walk(tree: unknown): Generator<Node> {
  const waiting = [tree];
  while (waiting.length > 0) {
    const each = waiting.pop();
    if (Array.isArray(each)) for (const item of each) waiting.push(item);
    else if (typeof each === "object" && each !== null) {
      yield each as Node;
      for (const item of Object.values(each)) if (typeof item === "object") waiting.push(item);
    }
  }
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** The relations that a query names, as written: one to three parts. CTEs are among them. */
export function relationsNamed(tree: unknown): string[][] {
  return [...walk(tree)]
    .filter(({ type }) => type === "BASE_TABLE")
    .map((node) =>
      [node["catalog_name"], node["schema_name"], node["table_name"]].map(text).filter((part) => part !== ""),
    );
}

/**
 * Whether every item with this name in every select list is a plain column, which nothing computes. True if a select
 * list says `*`.
 */
export function isNeverComputed(tree: unknown, names: readonly string[]): boolean {
  const folded = new Set(names.map(fold));
  return [...walk(tree)].every(({ select_list: items }) => {
    if (!Array.isArray(items)) return true;
    return (items as Node[]).every(({ alias, class: kind }) => !folded.has(fold(text(alias))) || kind === "COLUMN_REF");
  });
}

/** The names of one part that a query reads from. */
function* namesRead(tree: unknown): Generator<string> {
  for (const { type, schema_name, table_name } of walk(tree)) {
    if (type === "BASE_TABLE" && text(schema_name) === "") yield fold(text(table_name));
  }
}

interface Cte {
  key: string;
}

/** The first plain SELECT of a node. For a set operation, that of its left side. */
function selectOf(node: Node): Node {
  const left = node["left"];
  return node["type"] === "SET_OPERATION_NODE" && typeof left === "object" && left !== null
    ? selectOf(left as Node)
    : node;
}

/**
 * Makes the query read each CTE that nothing reads, by a condition. Otherwise DuckDB does not bind it, and other
 * platforms do.
 * @param conditionOn gives the tree of `exists (select 1 from …)`
 * @returns whether there was any
 */
export async function useEveryCte(tree: unknown, conditionOn: (cte: string) => Promise<unknown>): Promise<boolean> {
  const used = new Set(namesRead(tree));
  let added = false;
  for (const node of walk(tree)) {
    const { map = [] } = (node["cte_map"] ?? {}) as { map?: Cte[] };
    for (const { key } of map) {
      if (used.has(fold(key))) continue;
      const select = selectOf(node);
      const before = select["where_clause"];
      const condition = await conditionOn(key);
      const both = { class: "CONJUNCTION", type: "CONJUNCTION_AND", alias: "", query_location: 0 };
      select["where_clause"] = before == null ? condition : { ...both, children: [before, condition] };
      added = true;
    }
  }
  return added;
}

/** The condition of a query `select … where …`. */
export function conditionOf(tree: unknown): unknown {
  const { statements = [] } = (tree ?? {}) as { statements?: { node: Node }[] };
  return statements[0]?.node["where_clause"];
}
