/** Works out the impact of a change: where it begins, how it spreads, and what is told of that. */
import { canChange, type Effect, EFFECTS, type Impact, type ImpactQuery } from "../impact.ts";
import { findFailingChecks } from "./failing-checks.ts";
import { findFailing } from "./failing.ts";
import { createLoadedGraph, type LoadedGraph } from "./loaded-graph.ts";
import { NodeMap } from "./node-map.ts";
import { report } from "./report.ts";
import { createShownNodes } from "./shown-nodes.ts";
import type { Handle, ImpactSource, Shown } from "./source.ts";
import { type Beginning, spread } from "./spread.ts";
import { compareTypes } from "../data-type.ts";
import { type Label, partOf, startAt } from "./label.ts";
import { isDataset, type NodeType } from "../node-types.ts";

/** @throws RangeError for a change that cannot happen to an asset of the root's type; the caller knows the type */
export async function assess(query: ImpactQuery, source: ImpactSource): Promise<Impact | null> {
  const root = await source.find(query.root);
  if (root === null) return null;
  const graph = createLoadedGraph(source, query.supposing);
  await graph.load([root]);
  const { type } = graph.get(root);
  // Whatever has values may get others.
  if (!canChange(type, query.change) && query.otherRows !== true)
    throw new RangeError(`no ${query.change} can happen to a ${type}`);
  const beginning = await beginAt(root, query, graph);
  const labels = await spread(beginning, graph, query.unclearWithin);
  const failing = query.unclearWithin === undefined ? await findFailing(beginning, graph) : new NodeMap<Label>();
  const shown = createShownNodes(graph);
  const impact = await report({ query, root, effect: beginning.effect, labels, failing }, graph, shown);
  if (query.maxChecks === undefined) return impact;
  return { ...impact, checks: await findFailingChecks({ query, beginning, labels, unbuilt: failing }, graph, shown) };
}

/** @param column the column as it is now; null if no column is known */
function effectOf({ change, newType }: ImpactQuery, column: Shown | null): Effect {
  if (change === "deprecate") return "deprecates";
  if (change !== "type_change") return "breaks";
  if (newType === null || column === null) return "narrows";
  // Types that cannot be compared narrow. Unknown types are among them.
  return compareTypes(column.dataType, newType, column.platform) === "narrows" ? "narrows" : "widens";
}

/** Where the spread begins, and the worst of the effects. */
async function beginAt(root: Handle, query: ImpactQuery, graph: LoadedGraph): Promise<Beginning & { effect: Effect }> {
  const { type } = graph.get(root);
  const changed = isDataset(type) ? ((await graph.columnsOf([root])).get(root) ?? []).map(({ column }) => column) : [];
  const typed = type === "column" ? [root] : changed;
  const shown = query.change === "type_change" ? await graph.source.show(typed) : [];
  const effects = typed.map((_, i) => effectOf(query, shown[i] ?? null));
  const effect = EFFECTS.find((each) => effects.includes(each)) ?? effectOf(query, null);

  const isWhole = query.change === "deprecate" || query.change === "asset_drop" || query.asWhole === true;
  // Not knowing a table's columns is not the same as its having none.
  const isUnlisted = isDataset(type) && changed.length === 0;
  const hasOtherRows = query.otherRows === true;
  const start = startAt(root, effect);
  const parts = changed.map((column, i): Label => partOf(start, column, effects[i]));
  return {
    root,
    labels: startsItself(type, isWhole || isUnlisted) ? [start, ...parts] : parts,
    isWhole,
    hasOtherRows,
    effect,
  };
}

/** Whether the root itself changes. A table or model does not if only its columns change. */
function startsItself(type: NodeType, asWhole: boolean): boolean {
  return !isDataset(type) || asWhole;
}
