/**
 * Finds the checks that would fail: those that need a column or table that goes away, a column that is made from it, or a table
 * or model that can no longer be built. If a data type changes, the contracts fail that promise the present type of the column
 * or of its copies.
 */
import type { ConnectorId } from "../../ids.ts";
import { type Check, type NeededBy, PIPELINE_CHECKS } from "../check.ts";
import { compareTypes } from "../data-type.ts";
import type { FailingCheck, FailingChecks, ImpactQuery } from "../impact.ts";
import { compareCodePoints } from "../text.ts";
import { followCopies } from "./failing.ts";
import { hopsOf, type Label } from "./label.ts";
import { isDataset } from "../node-types.ts";
import type { LoadedGraph } from "./loaded-graph.ts";
import type { NodeMap } from "./node-map.ts";
import type { ShownNodes } from "./shown-nodes.ts";
import type { Handle } from "./source.ts";
import type { Beginning } from "./spread.ts";
import { findUnrefreshed, NONE_UNREFRESHED } from "./unrefreshed.ts";
import { nameOf, titleOf } from "./words.ts";

interface Spread {
  query: ImpactQuery;
  beginning: Beginning;
  /** The best path to each affected node. */
  labels: NodeMap<Label>;
  /** The path to each asset that fails because its SQL names what goes away. */
  unbuilt: NodeMap<Label>;
}

/** Why the checks of a node fail, and how far the node is from what changes. */
interface Cause {
  why: FailingCheck["why"];
  label: Label;
}

/** The order of the answer. If a check fails for several causes, the first of these is told. */
const WHYS = ["changed", "derived", "retyped", "unbuilt"] as const satisfies FailingCheck["why"][];

export async function findFailingChecks(spread: Spread, graph: LoadedGraph, shown: ShownNodes): Promise<FailingChecks> {
  const { query, beginning } = spread;
  const causes = await (query.change === "type_change" ? retyped(beginning, graph) : broken(spread, graph));
  if (causes.size === 0) {
    const skipped = { models: [], checks: [] };
    return { unbuilt: [], skipped, unrefreshed: NONE_UNREFRESHED, total: 0, failing: [], truncated: false };
  }
  const needs = await graph.source.findChecks([...causes.keys()]);
  await shown.load(needs.map(({ node }) => node));
  const unbuilt = findUnbuilt(causes, graph);
  const skipped = await findSkipped(unbuilt, beginning.root, graph);
  await shown.load([...unbuilt, ...skipped]);
  const skippedChecks = new Set((await graph.source.findChecks(skipped)).map(({ check }) => check));

  const isFailing = ({ check, node, kind, type }: NeededBy): boolean => {
    // The schedule and the last run go with their pipeline. What dbt never runs cannot fail.
    if (PIPELINE_CHECKS.has(kind) || skippedChecks.has(check)) return false;
    if (causes.get(node)?.why !== "retyped") return true;
    const { newType } = query;
    return (
      kind === "contract" && (newType === null || compareTypes(type, newType, shown.get(node).platform) !== "same")
    );
  };
  const compare = (a: NeededBy, b: NeededBy): number => {
    const [one, two] = [causes.get(a.node), causes.get(b.node)];
    if (one === undefined || two === undefined) return 0;
    return (
      WHYS.indexOf(one.why) - WHYS.indexOf(two.why) ||
      one.label.hops - two.label.hops ||
      graph.byKey(a.node, b.node) ||
      compareCodePoints(a.check, b.check)
    );
  };
  const first = new Map<string, NeededBy>();
  const connectors = new Map<string, Set<ConnectorId>>();
  for (const need of needs.filter(isFailing).toSorted(compare)) {
    if (!first.has(need.check)) first.set(need.check, need);
    connectors.set(need.check, (connectors.get(need.check) ?? new Set()).add(need.connectorId));
  }
  const kept = [...first.values()].slice(0, query.maxChecks ?? 0);

  const checks = kept.length === 0 ? [] : await graph.source.loadChecks(kept.map(({ check }) => check));
  const byId = new Map(checks.map((check) => [check.id, check]));
  const reached = kept.flatMap(({ node }) => causes.get(node)?.label ?? []);
  await shown.load([beginning.root, ...reached.flatMap((label) => hopsOf(label).map(({ hop }) => hop.from))]);
  const told = kept.flatMap(({ check: id, node }): FailingCheck[] => {
    const check = byId.get(id);
    const cause = causes.get(node);
    if (check === undefined || cause === undefined) return [];
    const connectorIds = [...(connectors.get(id) ?? [])].toSorted(compareCodePoints);
    return [{ check, on: shown.get(node).id, why: cause.why, reason: reasonOf(check, node, cause), connectorIds }];
  });
  return {
    unbuilt: unbuilt.map((node) => {
      const { id, name, fqn, type } = shown.get(node);
      const { owner, ownerName } = shown.ownerOf(node);
      return { id, name, fqn, type, owner, ownerName };
    }),
    skipped: {
      models: skipped.map((node) => shown.get(node).id).toSorted(compareCodePoints),
      checks: [...skippedChecks].toSorted(compareCodePoints),
    },
    unrefreshed: await findUnrefreshed(
      unbuilt,
      (node) => spread.labels.has(node) || spread.unbuilt.has(node),
      { root: beginning.root, most: query.maxAffected },
      graph,
      shown,
    ),
    total: first.size,
    failing: told,
    truncated: told.length < first.size,
  };

  function reasonOf({ kind }: Check, node: Handle, { why, label }: Cause): string {
    const subject = shown.subjectOf(node);
    const verb = kind === "contract" && subject.type === "column" ? "promises" : "needs";
    const last = hopsOf(label).at(-1);
    const from = last === undefined ? null : nameOf(shown.subjectOf(last.hop.from));
    switch (why) {
      case "changed":
        return `It ${verb} ${titleOf(subject)}, which ${query.change === "column_rename" ? "gets another name" : "goes away"}.`;
      case "derived":
        return `It ${verb} ${titleOf(subject)}, which is made from ${from ?? "what goes away"}.`;
      case "retyped":
        return `It promises the data type of ${titleOf(subject)}, which changes${from === null ? "" : ` with ${from}`}.`;
      default:
        return `It ${verb} ${titleOf(subject)}, which cannot be built without ${from ?? "what goes away"}.`;
    }
  }
}

/** What goes away by a drop or a rename, columns made from it, and tables and models that can no longer be built. */
async function broken({ beginning, labels, unbuilt }: Spread, graph: LoadedGraph): Promise<Map<Handle, Cause>> {
  const { root } = beginning;
  const breaking = beginning.labels.filter(({ effect }) => effect === "breaks");
  await graph.load(breaking.map(({ node }) => node));
  const causes = new Map<Handle, Cause>(breaking.map((label) => [label.node, { why: "changed", label }]));
  for (const label of labels.values()) {
    const { node } = label;
    if (label.effect !== "breaks" || label.kind !== "DIRECT") continue;
    const { type } = graph.get(node);
    if (type === "column") causes.set(node, { why: "derived", label });
    // If a whole table goes away, everything that reads it fails.
    else if (isDataset(type) && (label.last?.hop.level === "asset" || (beginning.isWhole && label.hops === 1)))
      causes.set(node, { why: "unbuilt", label });
  }
  for (const label of unbuilt.values()) {
    const { node } = label;
    if (node !== root && isDataset(graph.get(node).type)) causes.set(node, { why: "unbuilt", label });
  }
  return causes;
}

/** The columns whose type changes, and their copies. */
async function retyped({ labels }: Beginning, graph: LoadedGraph): Promise<Map<Handle, Cause>> {
  await graph.load(labels.map(({ node }) => node));
  const columns = labels.filter(({ node }) => graph.get(node).type === "column");
  const copies = await followCopies(columns, graph);
  return new Map(copies.values().map((label) => [label.node, { why: "retyped", label }]));
}

/**
 * The tables and models that fail by their own SQL, the nearest first. What gets the column from another of them is left
 * out: it may need no edit once that one is mended.
 */
function findUnbuilt(causes: ReadonlyMap<Handle, Cause>, { get, byKey }: LoadedGraph): Handle[] {
  const isUnbuilt = (node: Handle): boolean => causes.get(node)?.why === "unbuilt";
  return [...causes]
    .filter(([node, { label }]) => {
      const before = hopsOf(label).map(({ hop: { from } }) => get(from).parent ?? from);
      return isUnbuilt(node) && !before.some((each) => each !== node && isUnbuilt(each));
    })
    .toSorted(([a, one], [b, two]) => one.label.hops - two.label.hops || byKey(a, b))
    .map(([node]) => node);
}

/** The models that are built from these, however far away. */
async function findSkipped(unbuilt: readonly Handle[], root: Handle, graph: LoadedGraph): Promise<Handle[]> {
  const seen = new Set([...unbuilt, graph.get(root).parent ?? root]);
  const skipped: Handle[] = [];
  for (let reached = unbuilt; reached.length > 0;) {
    const readers = await graph.consumersOf(reached);
    const next = new Set(reached.flatMap((node) => (readers.get(node) ?? []).map(({ to }) => to)));
    reached = [...next].filter((node) => isDataset(graph.get(node).type) && !seen.has(node));
    for (const node of reached) {
      seen.add(node);
      if (graph.get(node).type === "model") skipped.push(node);
    }
  }
  return skipped;
}
