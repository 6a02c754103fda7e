/** Columns whose values PostgreSQL itself computes from others of the same row. */
import { hash } from "node:crypto";

import type { ColumnLineage } from "../../catalog/asset.ts";
import { columnRef, type NodeRef } from "../../catalog/identity.ts";
import type { EdgeStatement } from "../../catalog/statement.ts";
import type { ColumnRow } from "./relations.ts";

export interface GeneratedColumn {
  lineage: ColumnLineage;
  edges: EdgeStatement[];
}

/**
 * The generated columns among these, by their names. The server notes which columns an expression uses, and lets it use
 * only functions that read no table.
 * @param columns of one relation, without those that are left out
 * @param expressions by the names of their columns; one that could not be read is absent. Then no edge is stated, so those
 * of an earlier crawl stay as they are.
 */
export function traceGenerated(
  ref: NodeRef,
  columns: readonly ColumnRow[],
  expressions: ReadonlyMap<string, string> = new Map(),
): Map<string, GeneratedColumn> {
  const kept = new Set(columns.map(({ name }) => name));
  const generated = new Map<string, GeneratedColumn>();
  for (const { name, generatedFrom } of columns) {
    if (generatedFrom === null) continue;
    const expression = expressions.get(name) ?? "";
    const leftOut = generatedFrom.find((source) => !kept.has(source));
    const sources = expression === "" ? [] : generatedFrom.filter((source) => kept.has(source));
    const edges = sources.map((source): EdgeStatement => {
      const isCopy = expression === source || expression === `"${source}"`;
      const use = { kind: "DIRECT", transformation: isCopy ? "IDENTITY" : "TRANSFORMATION", expression } as const;
      return { from: columnRef(ref, source), to: columnRef(ref, name), kind: "derives", uses: [use] };
    });
    generated.set(name, { edges, lineage: stateOf(expression, leftOut) });
  }
  return generated;
}

function stateOf(expression: string, leftOut: string | undefined): ColumnLineage {
  if (leftOut !== undefined) {
    return { status: "partial", reason: `it uses ${JSON.stringify(leftOut)}, which is left out because of its name` };
  }
  if (expression === "") return { status: "partial", reason: "its expression could not be read" };
  return { status: "known", reason: "", basis: hash("sha256", expression, "hex") };
}
