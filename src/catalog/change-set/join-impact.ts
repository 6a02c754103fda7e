/**
 * Joins the impacts of several changes. Each affected asset or column is listed once, at its worst, with the changes
 * that reach it.
 */
import type { NodeId } from "../../ids.ts";
import { type Coverage, joinCoverage } from "../coverage.ts";
import {
  type AffectedNode,
  type AssetGroup,
  type Impact,
  type OwnerImpact,
  RISKS,
  type RiskCounts,
} from "../impact.ts";
import { type AssetCounts, compareAffected, countAssets, groupAssets } from "../impact/affected-assets.ts";
import { countRisks, groupByOwner } from "../impact/owners.ts";
import { compareCodePoints, fold } from "../text.ts";
import type { Change } from "./change.ts";

/**
 * affected: a change reaches it, and the change set does not adapt it. adapted: it depends on the changed thing now,
 * and will not after the change set. dropped: the change set removes it.
 */
export const AFFECTED_STATES = ["affected", "adapted", "dropped"] as const;
export type AffectedState = (typeof AFFECTED_STATES)[number];

export interface JointlyAffected {
  state: AffectedState;
  /** The worst impact of those changes. */
  impact: AffectedNode;
  /** Positions, in the list of changes, of the changes that reach it. */
  changes: number[];
}

export interface AssessedChange extends Change {
  /** Counts what this change affects, without what is adapted to it. */
  summary: RiskCounts;
  /** The same, with columns counted beside their assets. */
  assets: AssetCounts;
}

export interface JointImpact {
  changes: AssessedChange[];
  /** Counts what is affected, without what is adapted or dropped. */
  summary: RiskCounts;
  /** The same, counted as `affected-assets.ts` tells it. */
  groups: AssetGroup[];
  /** How many are adapted, and how many are dropped. */
  adapted: number;
  dropped: number;
  /**
   * The affected ones first, then the adapted, then the dropped ones. Within a state they are in the order of
   * `compareAffected`, then of fqn.
   */
  affected: JointlyAffected[];
  /** The owners of what is affected, the worst hit first. Assets without an owner come last. */
  owners: OwnerImpact[];
  /** Of what changes and all that is left of its impacts. */
  coverage: Coverage;
  /**
   * True if an impact was too large to be kept in full. The counts over all changes then include only what was kept.
   */
  truncated: boolean;
}

export interface ChangeImpact {
  change: Change;
  /** The impact if this were the only change. Entries that are also in `left` are taken from `left`. */
  all: Pick<Impact, "affected" | "truncated">;
  /** The impact that remains if the whole change set is taken into account. */
  left: Impact;
}

/**
 * Joins impacts one by one, so that only what is reported stays in memory. Both methods yield between pieces of work.
 */
export interface Joining {
  add(impact: ChangeImpact): Generator<void, void>;
  finish(): Generator<void, JointImpact>;
}

/** Pieces of work between two yields. */
const PIECE = 500;

export function createJoining(isGone: (id: NodeId) => boolean): Joining {
  const joined = new Map<NodeId, JointlyAffected>();
  const changes: AssessedChange[] = [];
  const coverages: Coverage[] = [];
  let truncated = false;

  function note(impact: AffectedNode, state: AffectedState, index: number): void {
    const known = joined.get(impact.id);
    // An asset is reported in its worst state. Changes that leave it in a better state are not listed.
    const order = known === undefined ? -1 : compareStates(state, known.state);
    if (order < 0) joined.set(impact.id, { state, impact, changes: [index] });
    if (known === undefined || order !== 0) return;
    known.changes.push(index);
    if (compareAffected(impact, known.impact) < 0) known.impact = impact;
  }

  return {
    *add({ change, all, left }) {
      const index = changes.length;
      let worked = 0;
      const remaining = new Set(left.affected.map(({ id }) => id));
      changes.push(Object.assign({ summary: left.summary, assets: countAssets(left.groups) }, change));
      coverages.push(left.coverage);
      truncated ||= all.truncated || left.truncated;
      for (const node of left.affected) {
        if (++worked % PIECE === 0) yield;
        note(node, isGone(node.id) ? "dropped" : "affected", index);
      }
      for (const node of all.affected) {
        if (++worked % PIECE === 0) yield;
        if (remaining.has(node.id)) continue;
        note(node, isGone(node.id) ? "dropped" : "adapted", index);
      }
    },
    *finish() {
      // Each state and risk is sorted alone, because a sort cannot be interrupted.
      const affected: JointlyAffected[] = [];
      const byState = Map.groupBy(joined.values(), ({ state, impact: { risk } }) => `${state} ${risk}`);
      for (const state of AFFECTED_STATES) {
        for (const risk of RISKS) {
          yield;
          const named = (byState.get(`${state} ${risk}`) ?? []).map((each) => ({ each, name: fold(each.impact.fqn) }));
          yield;
          named.sort((a, b) => compareAffected(a.each.impact, b.each.impact) || compareNames(a, b));
          for (const { each } of named) affected.push(each);
        }
      }
      yield;
      const still = affected.filter(({ state }) => state === "affected").map(({ impact }) => impact);
      return {
        changes,
        summary: countRisks(still),
        groups: groupAssets(still),
        adapted: affected.filter(({ state }) => state === "adapted").length,
        dropped: affected.filter(({ state }) => state === "dropped").length,
        affected,
        owners: groupByOwner(still),
        coverage: joinCoverage(coverages),
        truncated,
      };
    },
  };
}

function compareStates(a: AffectedState, b: AffectedState): number {
  return AFFECTED_STATES.indexOf(a) - AFFECTED_STATES.indexOf(b);
}

interface Named {
  each: JointlyAffected;
  /** Folded. */
  name: string;
}

function compareNames(a: Named, b: Named): number {
  return compareCodePoints(a.name, b.name) || compareCodePoints(a.each.impact.id, b.each.impact.id);
}
