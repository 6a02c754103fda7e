/** How a change reaches a node: how surely, by how many hops, and along which path. */
import type { Level } from "../edge.ts";
import { type Effect, EFFECTS, EVIDENCE_KINDS, type EvidenceKind } from "../impact.ts";
import type { Handle, KeyOrder } from "./source.ts";

export interface Hop {
  kind: EvidenceKind;
  level: Level;
  /** Both ends: columns if these are known, else the nodes of the path. */
  from: Handle;
  to: Handle;
  /** The downstream end's SQL names the column, and no use of it is known. */
  isReference?: true;
}

export interface Label {
  node: Handle;
  effect: Effect;
  /** The kind of the weakest hop. */
  kind: EvidenceKind;
  hops: number;
  /** The last hop and the label before it; null at the start of a path, and for a part. */
  last: { before: Label; hop: Hop } | null;
  /** The dataset's label, if the column is reached as a part of its dataset and has its path; else null. */
  whole: Label | null;
}

export function startAt(node: Handle, effect: Effect): Label {
  return { node, effect, kind: "DIRECT", hops: 0, last: null, whole: null };
}

export function partOf(whole: Label, column: Handle, effect: Effect = whole.effect): Label {
  return { node: column, effect, kind: whole.kind, hops: whole.hops, last: null, whole };
}

export function hopTo(node: Handle, before: Label, hop: Hop): Label {
  const { effect } = before;
  return {
    node,
    effect,
    kind: weaker(before.kind, hop.kind),
    hops: before.hops + 1,
    last: { before, hop },
    whole: null,
  };
}

export function isWeaker(a: EvidenceKind, b: EvidenceKind): boolean {
  return EVIDENCE_KINDS.indexOf(a) > EVIDENCE_KINDS.indexOf(b);
}

function weaker(a: EvidenceKind, b: EvidenceKind): EvidenceKind {
  return isWeaker(a, b) ? a : b;
}

/**
 * How strongly a change arrives; 0 is the strongest. The effect decides, then the kind of evidence.
 * NONE is weaker than every other kind, whatever the effect.
 */
export function strengthOf({ effect, kind }: Pick<Label, "effect" | "kind">): number {
  const index = EFFECTS.indexOf(effect) * EVIDENCE_KINDS.length + EVIDENCE_KINDS.indexOf(kind);
  return kind === "NONE" ? index + EFFECTS.length * EVIDENCE_KINDS.length : index;
}

/** Orders the labels of one node, the better one first. Of equal ones every engine takes the same. */
export function compareLabels(a: Label, b: Label, byKey: KeyOrder): number {
  return strengthOf(a) - strengthOf(b) || a.hops - b.hops || compareWays(a, b, byKey);
}

/** A part comes last. Hops between columns come before hops between assets; then the keys of the ends decide. */
function compareWays(a: Label, b: Label, byKey: KeyOrder): number {
  if (a.last === null || b.last === null) return Number(a.last === null) - Number(b.last === null);
  const [one, two] = [a.last, b.last];
  return (
    Number(one.hop.level === "asset") - Number(two.hop.level === "asset") ||
    byKey(one.before.node, two.before.node) ||
    byKey(one.hop.to, two.hop.to)
  );
}

/** The hops of a path, from the changed asset on, each with the node that it leads to. */
export function hopsOf(label: Label): { node: Handle; hop: Hop }[] {
  const hops: { node: Handle; hop: Hop }[] = [];
  // A part has the path of its dataset; only at the end the part takes the dataset's place.
  let node = label.node;
  for (let at = label.whole ?? label; at.last !== null;) {
    const { before, hop } = at.last;
    hops.push({ node, hop });
    at = before.whole ?? before;
    node = at.node;
  }
  return hops.toReversed();
}
