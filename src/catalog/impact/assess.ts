/** Works out the impact of a change: where it begins, how it spreads, and what is told of that. */
import { canChange, type Impact, type ImpactQuery } from "../impact.ts";
import { beginAt } from "./effect.ts";
import { findFailingChecks } from "./failing-checks.ts";
import { findFailing } from "./failing.ts";
import { createLoadedGraph } from "./loaded-graph.ts";
import { report } from "./report.ts";
import { createShownNodes } from "./shown-nodes.ts";
import type { ImpactSource } from "./source.ts";
import { spread } from "./spread.ts";

/** @throws RangeError for a change that cannot happen to an asset of the root's type; the caller knows the type */
export async function assess(query: ImpactQuery, source: ImpactSource): Promise<Impact | null> {
  const root = await source.find(query.root);
  if (root === null) return null;
  const graph = createLoadedGraph(source, query.supposing);
  await graph.load([root]);
  const { type } = graph.get(root);
  if (!canChange(type, query.change)) throw new RangeError(`no ${query.change} can happen to a ${type}`);
  const beginning = await beginAt(root, query, graph);
  const labels = await spread(beginning, graph);
  const failing = await findFailing(beginning, graph);
  const shown = createShownNodes(graph);
  const impact = await report({ query, root, effect: beginning.effect, labels, failing }, graph, shown);
  if (query.maxChecks === undefined) return impact;
  return { ...impact, checks: await findFailingChecks({ query, beginning, labels, unbuilt: failing }, graph, shown) };
}
