/** What is told of a change that has spread: counts and owners over all of it, sentences and paths of what is kept. */
import type { ColumnUse } from "../edge.ts";
import {
  type AffectedNode,
  type Effect,
  type Evidence,
  type Impact,
  type ImpactQuery,
  RISKS,
  riskOf,
} from "../impact.ts";
import { compareCodePoints } from "../text.ts";
import { hopsOf, type Label } from "./label.ts";
import { countRisks, groupByOwner } from "./owners.ts";
import { type Passage, reasonOf, type Subject } from "./reason.ts";
import { ask, type Handle, type Pair, type Plan, type Shown } from "./source.ts";
import type { Surroundings } from "./surroundings.ts";

interface Outcome {
  query: ImpactQuery;
  root: Handle;
  /** The worst. */
  effect: Effect;
  labels: ReadonlyMap<Handle, Label>;
}

export function* report({ query, root, effect, labels }: Outcome, around: Surroundings): Plan<Impact> {
  const { get, keyOf } = around;
  const gallery = createGallery(around);
  const parentsOf = (nodes: readonly Handle[]): Handle[] => nodes.flatMap((node) => get(node).parent ?? []);
  const nodes = [...labels.keys()];
  yield* around.meet(parentsOf(nodes));
  yield* gallery.load([...nodes, ...parentsOf(nodes)]);

  const judged = [...labels.values()].map((label) => {
    const shown = gallery.get(label.node);
    return { label, shown, risk: riskOf(label.effect, label.kind, shown), ...gallery.ownerOf(label.node) };
  });
  const ordered = judged.toSorted(
    (a, b) =>
      RISKS.indexOf(a.risk) - RISKS.indexOf(b.risk) ||
      a.label.hops - b.label.hops ||
      compareCodePoints(keyOf(a.label.node), keyOf(b.label.node)),
  );
  const kept = ordered.slice(0, query.maxAffected).map((one) => ({ ...one, hops: hopsOf(one.label) }));

  const met = new Set([root, ...kept.flatMap(({ hops }) => hops.flatMap(({ node, hop }) => [node, hop.from, hop.to]))]);
  yield* around.meet(met);
  yield* around.meet(parentsOf([...met]));
  yield* gallery.load([...met, ...parentsOf([...met])]);
  const useOf = yield* loadStrongest(kept.flatMap(({ hops }) => hops.map(({ hop }) => hop)));

  const start = gallery.subjectOf(root);
  const affected = kept.map(({ label, shown, risk, owner, ownerName, hops }): AffectedNode => {
    const passages = hops.map(({ node, hop }): Passage => {
      const use = hop.level === "column" ? useOf(hop.from, hop.to) : undefined;
      return {
        kind: hop.kind,
        level: hop.level,
        use,
        at: gallery.subjectOf(node),
        from: gallery.subjectOf(hop.from),
        to: gallery.subjectOf(hop.to),
      };
    });
    const { id, name, fqn, type, certification } = shown;
    return {
      id,
      name,
      fqn,
      type,
      certification,
      risk,
      reason: reasonOf(start, passages, label.effect),
      hops: hops.length,
      path: [start, ...passages.map(({ at }) => at)].map((at) => at.id),
      evidence: passages.map(toEvidence),
      owner,
      ownerName,
    };
  });
  return {
    root: query.root,
    change: query.change,
    newType: query.newType,
    effect,
    summary: countRisks(ordered),
    affected,
    owners: groupByOwner(ordered),
    truncated: affected.length < ordered.length,
  };
}

function toEvidence({ kind, level, use, from, to }: Passage): Evidence {
  const { transformation = "", expression = "" } = use ?? {};
  return { kind, level, transformation, expression, from: from.id, to: to.id };
}

/** The strongest use of each hop between columns. */
function* loadStrongest(
  hops: readonly { level: string; from: Handle; to: Handle }[],
): Plan<(from: Handle, to: Handle) => ColumnUse | undefined> {
  const nameOf = (from: Handle, to: Handle): string => `${from} ${to}`;
  const pairs = new Map(
    hops
      .filter(({ level }) => level === "column")
      .map(({ from, to }): [string, Pair] => [nameOf(from, to), [from, to]]),
  );
  const uses = pairs.size === 0 ? [] : yield* ask((source) => source.loadUses([...pairs.values()]));
  const strongest = new Map([...pairs.keys()].map((name, i) => [name, strongestOf(uses[i] ?? [])]));
  return (from, to) => strongest.get(nameOf(from, to));
}

/** The direct uses come from the weakest to the strongest, the others in the order of their words. */
function strongestOf(uses: readonly ColumnUse[]): ColumnUse | undefined {
  const direct = uses.filter(({ kind }) => kind === "DIRECT");
  const strongest = direct.at(-1)?.transformation;
  return direct.find(({ transformation }) => transformation === strongest) ?? uses[0];
}

/** Nodes as they are shown. */
function createGallery(around: Surroundings) {
  const known = new Map<Handle, Shown>();
  const get = (node: Handle): Shown => {
    const found = known.get(node);
    if (found === undefined) throw new Error(`the node ${node} was not loaded`);
    return found;
  };
  return {
    get,
    *load(nodes: readonly Handle[]): Plan<void> {
      const strange = [...new Set(nodes)].filter((node) => !known.has(node));
      if (strange.length === 0) return;
      const found = yield* ask((source) => source.show(strange));
      strange.forEach((node, i) => {
        const one = found[i];
        if (one !== undefined) known.set(node, one);
      });
    },
    /** A column's owner is its own, or else its table's. */
    ownerOf(node: Handle): { owner: string; ownerName: string } {
      const own = get(node);
      const { parent } = around.get(node);
      const { owner, ownerName } = own.owner === "" && own.ownerName === "" && parent !== null ? get(parent) : own;
      return { owner, ownerName };
    },
    subjectOf(node: Handle): Subject {
      const { parent } = around.get(node);
      return { ...get(node), table: parent === null ? null : get(parent).name };
    },
  };
}
