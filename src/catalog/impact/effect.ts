/** What a change means for each thing that changes, and where its spread begins. */
import { compareTypes } from "../data-type.ts";
import { type Effect, EFFECTS, type ImpactQuery } from "../impact.ts";
import { type Label, partOf, startAt } from "./label.ts";
import type { Handle, Shown } from "./source.ts";
import type { Beginning } from "./spread.ts";
import { isDataset, type NodeType } from "../node-types.ts";
import type { LoadedGraph } from "./loaded-graph.ts";

/** @param column the column as it is now; null if no column is known */
function effectOf({ change, newType }: ImpactQuery, column: Shown | null): Effect {
  if (change === "deprecate") return "deprecates";
  if (change !== "type_change") return "breaks";
  if (newType === null || column === null) return "narrows";
  // Types that cannot be compared narrow. Unknown types are among them.
  return compareTypes(column.dataType, newType, column.platform) === "narrows" ? "narrows" : "widens";
}

/** Where the spread begins, and the worst of the effects. */
export async function beginAt(
  root: Handle,
  query: ImpactQuery,
  graph: LoadedGraph,
): Promise<Beginning & { effect: Effect }> {
  const { type } = graph.get(root);
  const changed = isDataset(type) ? ((await graph.columnsOf([root])).get(root) ?? []).map(({ column }) => column) : [];
  const typed = type === "column" ? [root] : changed;
  const shown = query.change === "type_change" ? await graph.source.show(typed) : [];
  const effects = typed.map((_, i) => effectOf(query, shown[i] ?? null));
  const effect = EFFECTS.find((each) => effects.includes(each)) ?? effectOf(query, null);

  const isWhole = query.change === "deprecate" || query.change === "asset_drop" || query.asWhole === true;
  // Not knowing a table's columns is not the same as its having none.
  const isUnlisted = isDataset(type) && changed.length === 0;
  const start = startAt(root, effect);
  const parts = changed.map((column, i): Label => partOf(start, column, effects[i]));
  return { root, labels: startsItself(type, isWhole || isUnlisted) ? [start, ...parts] : parts, isWhole, effect };
}

/** Whether the root itself changes. A table or model does not if only its columns change. */
function startsItself(type: NodeType, asWhole: boolean): boolean {
  return !isDataset(type) || asWhole;
}
