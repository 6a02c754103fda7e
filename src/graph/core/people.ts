/** What people say: edits, certifications, and nodes of their own. */
import { applyDecision, type CertificationChange, isAsSeen } from "../../catalog/certification.ts";
import { EDITABLE_FIELDS, type EditStamp, requireAsSeen, type SeenFields } from "../../catalog/edits.ts";
import { type Curation, isHeld } from "../../catalog/layers.ts";
import type { NodeId } from "../../ids.ts";
import type { CertificationOutcome, CurationChange } from "../catalog-writes.ts";
import type { RowStore, Write } from "../rows.ts";
import { mergeAgain, mergeNodes, toLayer } from "./merge-nodes.ts";
import { saveChange } from "./save-change.ts";
import { sweepStep } from "./sweep.ts";
import { toEdgeText, writeEdges } from "./write-edges.ts";
import { lastOfEach, writeNodes } from "./write-nodes.ts";

/**
 * @returns whether the node exists
 * @throws AppError `conflict` if a field that is changed does not show what its editor saw
 */
export async function curate(
  store: RowStore,
  id: NodeId,
  change: CurationChange,
  edit: EditStamp,
  seen: SeenFields = {},
): Promise<boolean> {
  const row = (await store.loadNodes([id])).get(id);
  if (row === undefined) return false;
  const mergeUnder = (curation: Curation) => mergeAgain(store, [row], edit.at, curation);
  if (EDITABLE_FIELDS.some((field) => seen[field] != null)) {
    for (const { shown } of await mergeUnder(row.curation)) requireAsSeen(shown, change, seen);
  }
  await saveChange(store, { nodes: await mergeUnder(changeCuration(row.curation, change, edit)) });
  return true;
}

export async function certify(
  store: RowStore,
  id: NodeId,
  { seen, decision, step, dependencies, at }: CertificationChange,
): Promise<CertificationOutcome> {
  const before = (await store.loadNodes([id])).get(id);
  if (before === undefined) return "missing";
  const claims = (await store.loadClaims([id])).get(id) ?? [];
  const shownUnder = (curation: Curation) => mergeNodes(store, [{ past: { ...before, curation }, before, claims, at }]);
  const [metric] = await shownUnder(before.curation);
  if (metric?.shown.type !== "metric") return "missing";
  const steps = await store.countSteps(id);
  if (!isAsSeen(metric.shown, steps, seen)) return "overtaken";
  if (decision !== null) {
    const curation = applyDecision(before.curation, decision, claims.map(toLayer));
    await saveChange(store, { nodes: await shownUnder(curation) });
  }
  if (step !== null) await store.addStep(id, steps + 1, step);
  await store.keepDependencies(id, dependencies);
  return "done";
}

/** All of it happens in one transaction, so that nobody sees a part of the statement. */
export const stateByHand: Write<"stateByHand"> = async (store, stamp, { node, named, edges }, expected) => {
  const claims = (await store.loadClaims([node.id])).get(node.id) ?? [];
  if (expected === "new" && claims.some(isHeld)) return "exists";
  const isOwn = claims.some(({ connectorId, scope }) => connectorId === stamp.connectorId && scope === node.id);
  if (expected === "known" && !isOwn) return "missing";
  await writeNodes(store, stamp, node.id, lastOfEach([...named, node]));
  await writeEdges(store, stamp, node.id, edges.map(toEdgeText));
  while (!(await sweepStep(store, stamp, node.id)).done) {
    // Each step sweeps some of what was stated before.
  }
  return "done";
};

/**
 * Keys with a value are set. Keys with null return to what the connectors say. Each given field notes who edited it.
 */
function changeCuration(curation: Curation, change: CurationChange, { by, at }: EditStamp): Curation {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const edited = EDITABLE_FIELDS.filter((field) => change[field] !== undefined);
  const edits = { ...curation.edits, ...Object.fromEntries(edited.map((field) => [field, { by, at }])) };
  const merged = Object.entries({ ...curation, ...Object.fromEntries(given) });
  const kept: Curation = Object.fromEntries(merged.filter(([, value]) => value !== null));
  return edited.length === 0 ? kept : { ...kept, edits };
}
