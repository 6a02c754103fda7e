/** Makes the answer: counts and owners over all that is affected; sentences and paths of what is kept. */
import {
  type AffectedNode,
  type Effect,
  type Evidence,
  type Impact,
  type ImpactQuery,
  type Risk,
  riskOf,
  RISKS,
} from "../impact.ts";
import type { NodeId } from "../../ids.ts";
import { countedUsage } from "../usage.ts";
import { compareAffected, groupAssets } from "./affected-assets.ts";
import type { ShownNodes } from "./shown-nodes.ts";
import { type Hop, hopsOf, type Label } from "./label.ts";
import { countRisks, groupByOwner } from "./owners.ts";
import { type Passage, reasonOf } from "./reason.ts";
import type { Handle, ImpactSource, KeyOrder, Pair } from "./source.ts";
import type { LoadedGraph } from "./loaded-graph.ts";
import type { NodeMap } from "./node-map.ts";
import type { Subject, Use } from "./words.ts";
import type { ColumnUse } from "../edge.ts";

interface Outcome {
  query: ImpactQuery;
  root: Handle;
  /** The worst effect. */
  effect: Effect;
  /** The best path to each affected node. */
  labels: NodeMap<Label>;
  /** The path to each asset that fails because its SQL names what goes away. */
  failing: NodeMap<Label>;
}

interface Described<Id> extends Pick<AffectedNode, "type" | "risk" | "owner" | "ownerName"> {
  id: Id;
  parentId: Id | null;
}

interface Judged {
  label: Label;
  risk: Risk;
  fails: boolean;
}

/** A hop of a path with its evidence. */
interface Told extends Passage {
  evidence: Evidence;
}

export async function report(
  { query, root, effect, labels, failing }: Outcome,
  graph: LoadedGraph,
  shown: ShownNodes,
): Promise<Impact> {
  // What gets values of the column keeps that path.
  const isFailing = ({ node }: Label): boolean => failing.has(node) && labels.get(node)?.kind !== "DIRECT";
  const affected = labels
    .values()
    .filter((label) => !isFailing(label))
    .concat(failing.values().filter(isFailing));
  await shown.judge(affected.map(({ node }) => node));
  const judged = affected.map((label): Judged => {
    const fails = failing.get(label.node) === label;
    const { type } = graph.get(label.node);
    const { certification } = shown.judgedOf(label.node);
    return { label, risk: riskOf(label.effect, fails ? "NAMED" : label.kind, { type, certification }), fails };
  });
  const ordered = judged.toSorted((a, b) => compareJudged(a, b, graph.byKey));

  const kept = ordered.slice(0, query.maxAffected).map((judgement) => ({ judgement, way: hopsOf(judgement.label) }));
  // Paths share their first hops. Each hop is worked out once.
  const ways = kept.map(({ way }) => way);
  const hops = distinct(ways, ({ hop }) => hop);
  await shown.load([
    root,
    ...kept.map(({ judgement }) => judgement.label.node),
    ...distinct(ways, ({ node }) => node),
    ...hops.flatMap(({ from, to }) => [from, to]),
  ]);
  const useOf = await loadStrongest(hops, graph.source);
  const subjectOf = remember(shown.subjectOf);
  const passageOf = remember((hop: Hop) => {
    const { kind, level } = hop;
    const ends = { from: subjectOf(hop.from), to: subjectOf(hop.to) };
    const use = hop.isReference === true ? referenceTo(ends.from) : useOf(hop);
    const evidence = toEvidence({ kind, level, use, ...ends });
    return remember((node: Handle): Told => {
      // If a stronger path leads to the node, the node uses a changed column after all.
      const isUnused = kind === "NONE" && (labels.get(node)?.kind ?? kind) === kind;
      return { kind, isUnused, level, use, at: subjectOf(node), ...ends, evidence };
    });
  });
  const start = subjectOf(root);
  const answered = new Set([root, ...ordered.map(({ label }) => label.node)]);
  const coverage = await graph.source.cover([...answered]);
  const describe = <Id>({ label: { node }, risk }: Judged, idOf: (node: Handle) => Id): Described<Id> => {
    const { type, parent } = graph.get(node);
    const { owner, ownerName } = shown.ownerOf(node);
    return { id: idOf(node), parentId: parent === null ? null : idOf(parent), type, risk, owner, ownerName };
  };
  const all = ordered.map((judgement) => describe(judgement, (node) => node));
  const told = kept.map(({ judgement, way }): AffectedNode => {
    const passages = way.map(({ node, hop }) => passageOf(hop)(node));
    const usage = countedUsage(shown.get(judgement.label.node).usage);
    const described = describe(judgement, (node) => shown.get(node).id);
    return toAffected(judgement, { ...described, usage }, start, passages);
  });
  // Usage is known only of what is kept. Those with the same stay in the order of keys.
  told.sort(compareAffected);
  return {
    root: query.root,
    change: query.change,
    newType: query.newType,
    effect,
    summary: countRisks(ordered),
    groups: groupAssets(all),
    affected: told,
    owners: groupByOwner(all),
    truncated: told.length < ordered.length,
    coverage,
  };
}

/** What is picked from the hops, each once. */
function distinct<Each, T>(ways: readonly (readonly Each[])[], pick: (each: Each) => T): T[] {
  const found = new Set<T>();
  for (const way of ways) for (const each of way) found.add(pick(each));
  return [...found];
}

/** Works out each answer once. */
function remember<Key, Answer>(work: (key: Key) => Answer): (key: Key) => Answer {
  const known = new Map<Key, Answer>();
  return (key) => {
    const answer = known.get(key) ?? work(key);
    known.set(key, answer);
    return answer;
  };
}

function compareJudged(a: Judged, b: Judged, byKey: KeyOrder): number {
  return (
    RISKS.indexOf(a.risk) - RISKS.indexOf(b.risk) || a.label.hops - b.label.hops || byKey(a.label.node, b.label.node)
  );
}

function toAffected(
  { label: { effect }, fails }: Pick<Judged, "label" | "fails">,
  { id, parentId, type, risk, owner, ownerName, usage }: Described<NodeId> & Pick<AffectedNode, "usage">,
  start: Subject,
  passages: readonly Told[],
): AffectedNode {
  const { name, fqn, certification } = passages.at(-1)?.at ?? start;
  return {
    id,
    parentId,
    name,
    fqn,
    type,
    certification,
    risk,
    reason: reasonOf(start, passages, { effect, fails }),
    hops: passages.length,
    path: [start.id, ...passages.map(({ at }) => at.id)],
    evidence: passages.map(({ evidence }) => evidence),
    owner,
    ownerName,
    usage,
  };
}

/** The evidence of a hop if it is only known that the SQL names the column. */
function referenceTo({ name }: Subject): Use {
  return { kind: "INDIRECT", transformation: "REFERENCE", expression: name };
}

function toEvidence({ kind, level, use, from, to }: Omit<Passage, "at" | "isUnused">): Evidence {
  const { transformation = "", expression = "" } = use ?? {};
  return { kind, level, transformation, expression, from: from.id, to: to.id };
}

/** The strongest use of each hop between columns; undefined if none is known. */
async function loadStrongest(hops: readonly Hop[], source: ImpactSource): Promise<(hop: Hop) => ColumnUse | undefined> {
  const pairs = new Map(hops.filter(isOfColumns).map((hop): [string, Pair] => [nameOf(hop), [hop.from, hop.to]]));
  const asked = [...pairs.values()];
  const uses = asked.length === 0 ? [] : await source.loadUses(asked);
  const strongest = new Map([...pairs.keys()].map((name, i) => [name, strongestOf(uses[i] ?? [])]));
  return (hop) => (isOfColumns(hop) ? strongest.get(nameOf(hop)) : undefined);
}

function isOfColumns({ level }: Hop): boolean {
  return level === "column";
}

function nameOf({ from, to }: Hop): string {
  return `${from} ${to}`;
}

const STRONGEST = ["AGGREGATION", "TRANSFORMATION", "IDENTITY"] as const satisfies ColumnUse["transformation"][];

/** @param uses as `joinUses` orders them */
function strongestOf(uses: readonly ColumnUse[]): ColumnUse | undefined {
  const direct = uses.filter(({ kind }) => kind === "DIRECT");
  for (const transformation of STRONGEST) {
    const found = direct.find((use) => use.transformation === transformation);
    if (found !== undefined) return found;
  }
  return uses[0];
}
