/** What changed between two states of everything that a node depends on, and can have changed its value. */
import { type NodeId, toNodeId } from "../../ids.ts";
import { type Closure, type ClosureNode, type ClosureReader, keyOf } from "../dependencies/closure.ts";
import { compareDependencies } from "../dependencies/compare.ts";
import type { Dependencies } from "../dependencies/dependencies.ts";
import type { Difference } from "../dependencies/differences.ts";
import type { Reach, ReachStep } from "../dependencies/reach.ts";
import { matchByKey } from "../match-by-key.ts";
import { compareCodePoints } from "../text.ts";
import type { CauseEvidence, CauseKind } from "./cause.ts";

/** Everything that a node depended on at one moment. */
export interface UpstreamState {
  root: ClosureNode;
  closure: Closure;
  reach: Reach;
  dependencies: Dependencies;
}

export interface StateChange {
  kind: CauseKind;
  evidence: CauseEvidence;
  id: NodeId;
  /** From the root to the node, both included. */
  path: NodeId[];
  distance: number;
  sentence: string;
  details: string[];
  before: string;
  after: string;
}

/**
 * The rules are those by which a certification lapses. Beside them, an asset without SQL has changed if it comes from
 * other assets.
 * @param before null if the node did not exist then
 * @param reader reads the state after
 */
export async function compareStates(
  before: UpstreamState | null,
  after: UpstreamState | null,
  reader: Pick<ClosureReader, "loadNodes">,
): Promise<StateChange[]> {
  if (before === null || after === null) {
    const { root } = before ?? after ?? {};
    if (root === undefined) return [];
    const [kind, words] = before === null ? (["added", "is new"] as const) : (["removed", "is gone"] as const);
    const [id, sentence] = [root.id, `${labelOf(root)} ${words}`];
    return [{ kind, id, sentence, evidence: "DIRECT", path: [id], distance: 0, details: [], before: "", after: "" }];
  }
  const { differences } = await compareDependencies(before.dependencies, after.dependencies, reader);
  const changes = foldIntoAssets(differences, before, after);
  const known = new Set(changes.map(({ id }) => id));
  const feeds = feedChanges(before, after).filter(({ id }) => !known.has(id));
  return [...changes, ...feeds].map((change) => {
    const id = change.id === "" ? after.root.id : toNodeId(change.id);
    const step = findStep(after.reach, change, id) ?? findStep(before.reach, change, id);
    const { kind, sentence, details, before: was, after: is } = change;
    const { evidence, path, distance } = describeStep(step, after.root.id, id);
    return { kind, id, sentence, details, before: was, after: is, evidence, path, distance };
  });
}

interface FoundChange extends Pick<StateChange, "kind" | "sentence" | "details" | "before" | "after"> {
  id: string;
  /** The columns that are computed otherwise, if SQL changed. */
  columns: readonly string[];
}

/** The change of a column's SQL is one of the asset whose SQL it is. */
function foldIntoAssets(
  differences: readonly Difference[],
  before: UpstreamState,
  after: UpstreamState,
): FoundChange[] {
  const assets = new Set(differences.filter(({ kind }) => kind === "sql" || kind === "reads").map(({ id }) => id));
  const ownerOf = (id: string): string =>
    (after.dependencies.columns[id] ?? before.dependencies.columns[id])?.parentId ?? id;
  const isPart = ({ kind, id }: Difference): boolean =>
    kind === "rows" || ((kind === "expression" || kind === "sources") && assets.has(ownerOf(id)));
  const partsOf = Map.groupBy(differences.filter(isPart), ({ id }) => ownerOf(id));
  return differences.flatMap((difference): FoundChange[] => {
    const { kind, id, sentence } = difference;
    const [was, is] = [difference.before, difference.after];
    if (isPart(difference) || kind === "lost" || kind === "gained" || kind === "rows") return [];
    const plain = { id, sentence, details: [], before: was, after: is, columns: [] };
    if (kind === "gone") return [{ ...plain, kind: "removed" }];
    if (kind === "definition") {
      const { type } = after.root;
      if (id !== "" || type === "metric") return [{ ...plain, kind }];
      return [{ ...plain, kind: "sources", sentence: `${labelOf(after.root)} is now made from other assets` }];
    }
    if (kind !== "sql") return [{ ...plain, kind: kind === "reads" ? "sources" : kind }];
    const parts = partsOf.get(id) ?? [];
    const expressions = parts.filter((part) => part.kind !== "rows");
    const rows = parts.filter((part) => part.kind === "rows");
    const shown = expressions.length > 0 ? expressions : rows;
    const columns = changedColumns(id, before.dependencies, after.dependencies);
    return [
      {
        ...plain,
        kind: sqlKind(id, before.dependencies, after.dependencies, expressions.length > 0),
        details: parts.map((part) => part.sentence),
        before: shown.map((part) => part.before).join("\n"),
        after: shown.map((part) => part.after).join("\n"),
        columns: expressions.length > 0 ? expressions.map((part) => part.id) : columns,
      },
    ];
  });
}

function sqlKind(id: string, before: Dependencies, after: Dependencies, hasExpressions: boolean): CauseKind {
  const [old, fresh] = [before.assets[id], after.assets[id]];
  if (old?.whole !== false || fresh?.whole !== false) return "sql";
  if (hasExpressions || old.rowsBasis === fresh.rowsBasis) return "expression";
  return "rows";
}

function changedColumns(assetId: string, before: Dependencies, after: Dependencies): string[] {
  return Object.entries(after.columns).flatMap(([id, { parentId, basis }]) =>
    parentId === assetId && basis !== before.columns[id]?.basis ? [id] : [],
  );
}

/** Assets and columns without SQL that come from other nodes than before. */
function feedChanges(before: UpstreamState, after: UpstreamState): FoundChange[] {
  const olds = new Map(before.reach.reached.map((node) => [node.id, node]));
  return after.reach.reached.flatMap((node): FoundChange[] => {
    const old = olds.get(node.id);
    if (old === undefined || hasSql(old, before.closure) || hasSql(node, after.closure)) return [];
    // What makes a dashboard that is the root is compared with its renames.
    if (node.type === "metric" || (node.type === "dashboard" && node.id === after.root.id)) return [];
    const [was, is] = [sourcesOf(node, before.closure), sourcesOf(node, after.closure)];
    const { removed: lost, added: gained } = matchByKey(was, is, (id) => id);
    if (lost.length + gained.length === 0) return [];
    const [oldNames, newNames] = [namesOf(lost, before.closure), namesOf(gained, after.closure)];
    const sentence = [
      ...(gained.length > 0 ? [`now comes from \`${newNames}\``] : []),
      ...(lost.length > 0 ? [`no longer comes from \`${oldNames}\``] : []),
    ].join(" and ");
    return [
      {
        kind: "sources",
        id: node.id,
        sentence: `${labelOf(node)} ${sentence}`,
        details: [],
        before: oldNames,
        after: newNames,
        columns: [],
      },
    ];
  });
}

function hasSql(node: ClosureNode, { nodes }: Closure): boolean {
  const owner = node.parentId === null ? node : nodes.get(node.parentId);
  return (owner ?? node).sqlHash !== null;
}

function sourcesOf({ id, type }: ClosureNode, { sources, nodes }: Closure): NodeId[] {
  const found = sources.get(keyOf(id, type === "column" ? "column" : "asset")) ?? [];
  return found.map((source) => source.id).filter((source) => nodes.get(source)?.existence === "held");
}

/** The step by which the change reaches the root. Steps are in the order of their distance. */
function findStep({ steps }: Reach, { kind, columns }: FoundChange, id: NodeId): ReachStep | null {
  const whole = steps.find((step) => step.id === id && step.what === "whole");
  const rows = steps.find((step) => step.id === id && step.what === "rows");
  const value = steps.find((step) => step.id === id && step.what === "value");
  if (kind === "sql") return whole ?? rows ?? value ?? null;
  if (kind === "rows") return rows ?? whole ?? value ?? null;
  const changed = new Set(columns);
  const column = steps.find((step) => step.what === "value" && changed.has(step.id));
  if (column !== undefined && kind === "expression") return { ...column, id, from: column };
  return value ?? rows ?? whole ?? null;
}

function describeStep(
  step: ReachStep | null,
  rootId: NodeId,
  id: NodeId,
): Pick<StateChange, "evidence" | "path" | "distance"> {
  if (step === null) return { evidence: "UNKNOWN", path: id === rootId ? [id] : [rootId, id], distance: 1 };
  const path: NodeId[] = [];
  for (let at: ReachStep | null = step; at !== null; at = at.from) if (path[0] !== at.id) path.unshift(at.id);
  return { evidence: step.evidence, path, distance: step.hops };
}

function labelOf(node: ClosureNode): string {
  return `${node.type} \`${nameOf(node, node.id)}\``;
}

/** In order, because sources come in that of the store. */
function namesOf(ids: readonly NodeId[], { nodes }: Closure): string {
  return ids
    .map((id) => nameOf(nodes.get(id), id))
    .toSorted(compareCodePoints)
    .join(", ");
}

function nameOf(node: ClosureNode | undefined, id: NodeId): string {
  if (node === undefined) return id;
  return [node.parentName, node.name].filter((part) => part !== "").join(".");
}
