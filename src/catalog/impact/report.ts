/** What is told of a change that has spread: counts and owners over all of it, sentences and paths of what is kept. */
import {
  type AffectedNode,
  type Effect,
  type Evidence,
  type Impact,
  type ImpactQuery,
  type Risk,
  RISKS,
  riskOf,
} from "../impact.ts";
import { compareCodePoints } from "../text.ts";
import { loadStrongest } from "./evidence.ts";
import { createGallery } from "./gallery.ts";
import { hopsOf, type Label } from "./label.ts";
import { countRisks, groupByOwner } from "./owners.ts";
import { type Passage, reasonOf } from "./reason.ts";
import type { Handle, Plan } from "./source.ts";
import type { Surroundings } from "./surroundings.ts";
import type { Subject } from "./words.ts";

interface Outcome {
  query: ImpactQuery;
  root: Handle;
  /** The worst. */
  effect: Effect;
  labels: ReadonlyMap<Handle, Label>;
}

interface Judged {
  label: Label;
  risk: Risk;
}

export function* report({ query, root, effect, labels }: Outcome, around: Surroundings): Plan<Impact> {
  const gallery = createGallery(around);
  yield* gallery.load(labels.keys());
  const judged = [...labels.values()].map((label): Judged => ({
    label,
    risk: riskOf(label.effect, label.kind, gallery.get(label.node)),
  }));
  const ordered = judged.toSorted((a, b) => compareJudged(a, b, around.keyOf));

  const kept = ordered.slice(0, query.maxAffected).map(({ label, risk }) => ({ label, risk, way: hopsOf(label) }));
  const ways = kept.flatMap(({ way }) => way);
  yield* gallery.load([root, ...ways.flatMap(({ node, hop }) => [node, hop.from, hop.to])]);
  const useOf = yield* loadStrongest(ways.map(({ hop }) => hop));
  const { subjectOf } = gallery;
  const start = subjectOf(root);
  const affected = kept.map(({ label, risk, way }): AffectedNode => {
    const passages = way.map(({ node, hop }): Passage => {
      const { kind, level, from, to } = hop;
      // Where columns of it are used after all, a stronger path says so.
      const isUnused = kind === "NONE" && (labels.get(node)?.kind ?? kind) === kind;
      return { kind, isUnused, level, use: useOf(hop), at: subjectOf(node), from: subjectOf(from), to: subjectOf(to) };
    });
    return toAffected(label, risk, gallery.ownerOf(label.node), start, passages);
  });
  return {
    root: query.root,
    change: query.change,
    newType: query.newType,
    effect,
    summary: countRisks(ordered),
    affected,
    owners: groupByOwner(
      ordered.map(({ label, risk }) => {
        const { owner, ownerName } = gallery.ownerOf(label.node);
        return { owner, ownerName, risk };
      }),
    ),
    truncated: affected.length < ordered.length,
  };
}

function compareJudged(a: Judged, b: Judged, keyOf: (node: Handle) => string): number {
  return (
    RISKS.indexOf(a.risk) - RISKS.indexOf(b.risk) ||
    a.label.hops - b.label.hops ||
    compareCodePoints(keyOf(a.label.node), keyOf(b.label.node))
  );
}

function toAffected(
  { effect }: Label,
  risk: Risk,
  { owner, ownerName }: { owner: string; ownerName: string },
  start: Subject,
  passages: readonly Passage[],
): AffectedNode {
  const { id, name, fqn, type, certification } = passages.at(-1)?.at ?? start;
  return {
    id,
    name,
    fqn,
    type,
    certification,
    risk,
    reason: reasonOf(start, passages, effect),
    hops: passages.length,
    path: [start.id, ...passages.map(({ at }) => at.id)],
    evidence: passages.map(toEvidence),
    owner,
    ownerName,
  };
}

function toEvidence({ kind, level, use, from, to }: Passage): Evidence {
  const { transformation = "", expression = "" } = use ?? {};
  return { kind, level, transformation, expression, from: from.id, to: to.id };
}
