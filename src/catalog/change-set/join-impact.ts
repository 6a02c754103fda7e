/** Joins the impacts of several changes: each affected thing once, at its worst, with the changes that reach it. */
import { type AffectedNode, type Impact, type OwnerImpact, RISKS, type RiskCounts } from "../impact.ts";
import { countRisks, groupByOwner } from "../impact/owners.ts";
import { compareCodePoints, fold } from "../text.ts";
import type { Change } from "./change.ts";

/**
 * affected: a change reaches it, and the change set does nothing about it.
 * adapted: it depends on what changes at present, and no longer will. dropped: it goes with the change set.
 */
const AFFECTED_STATES = ["affected", "adapted", "dropped"] as const;
export type AffectedState = (typeof AFFECTED_STATES)[number];

export interface JointlyAffected {
  state: AffectedState;
  /** Its worst, of those changes. */
  impact: AffectedNode;
  /** Places in the list of changes, of those that reach it. */
  changes: number[];
}

export interface AssessedChange extends Change {
  /** What is affected by this change, and not adapted to it. */
  summary: RiskCounts;
}

export interface JointImpact {
  changes: AssessedChange[];
  /** Of what is affected; what is adapted or dropped is not counted. */
  summary: RiskCounts;
  /** How many are adapted, and how many are dropped. */
  adapted: number;
  dropped: number;
  /** The affected ones first, then the adapted and the dropped; in each by risk, hops and fqn. */
  affected: JointlyAffected[];
  /** Who owns what is affected, the worst hit first, nobody's last. */
  owners: OwnerImpact[];
  /** True when some impact was too large to be kept whole: then counts over the whole set are of what was kept. */
  truncated: boolean;
}

export interface ChangeImpact {
  change: Change;
  /** As if nothing else were changed. */
  all: Impact;
  /** What is left where the rest of the change set is taken into account. */
  left: Impact;
}

export function joinImpacts(impacts: readonly ChangeImpact[], isGone: (id: string) => boolean): JointImpact {
  const joined = new Map<string, JointlyAffected>();
  const add = (impact: AffectedNode, state: AffectedState, place: number): void => {
    const known = joined.get(impact.id);
    const order = known === undefined ? -1 : compareStates(state, known.state);
    if (order > 0) return;
    // Of what it is in the better state for, nothing is told where it is in a worse one for another change.
    const others = known === undefined || order < 0 ? [] : [known];
    const [worst = impact] = [impact, ...others.map((other) => other.impact)].toSorted(compareWorst);
    joined.set(impact.id, { state, impact: worst, changes: [...others.flatMap(({ changes }) => changes), place] });
  };
  for (const [place, { all, left }] of impacts.entries()) {
    const remaining = new Set(left.affected.map(({ id }) => id));
    for (const node of left.affected) add(node, isGone(node.id) ? "dropped" : "affected", place);
    for (const node of all.affected) {
      if (!remaining.has(node.id)) add(node, isGone(node.id) ? "dropped" : "adapted", place);
    }
  }
  const affected = [...joined.values()].toSorted(
    (a, b) => compareStates(a.state, b.state) || compareWorst(a.impact, b.impact) || compareNames(a.impact, b.impact),
  );
  const still = affected.filter(({ state }) => state === "affected").map(({ impact }) => impact);
  return {
    changes: impacts.map(({ change, left }) => Object.assign({ summary: left.summary }, change)),
    summary: countRisks(still),
    adapted: affected.filter(({ state }) => state === "adapted").length,
    dropped: affected.filter(({ state }) => state === "dropped").length,
    affected,
    owners: groupByOwner(still),
    truncated: impacts.some(({ all, left }) => all.truncated || left.truncated),
  };
}

function compareStates(a: AffectedState, b: AffectedState): number {
  return AFFECTED_STATES.indexOf(a) - AFFECTED_STATES.indexOf(b);
}

function compareWorst(a: AffectedNode, b: AffectedNode): number {
  return RISKS.indexOf(a.risk) - RISKS.indexOf(b.risk) || a.hops - b.hops;
}

function compareNames(a: AffectedNode, b: AffectedNode): number {
  return compareCodePoints(fold(a.fqn), fold(b.fqn)) || compareCodePoints(a.id, b.id);
}
