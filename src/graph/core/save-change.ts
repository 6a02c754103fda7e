/** Saves a difference, and keeps in the history how the nodes looked before it. */
import type { NodeId } from "../../ids.ts";
import { differenceOf, type KeptNode, type NodeDifference, type NodeState, restoreNode } from "../history/kept-node.ts";
import type { Difference, NodeChange, NodeRow, RowStore } from "../rows.ts";

export async function saveChange(store: RowStore, difference: Difference): Promise<void> {
  const { nodes = [], gone = [] } = difference;
  const isKept = gone.length > 0 || nodes.some(isChanged);
  await store.save(isKept ? { ...difference, nodes: await keepBefore(store, difference) } : difference);
}

function isChanged({ before, now }: NodeChange): boolean {
  return before?.fingerprint !== now.fingerprint || before.lineageOwner !== now.lineageOwner;
}

interface Prior {
  since: number;
  state: NodeState;
}

/** @returns the nodes, with the moments since when they are shown like this */
async function keepBefore(
  store: RowStore,
  { returned = [], nodes = [], gone = [] }: Difference,
): Promise<NodeChange[]> {
  const { number: moment } = await store.openMoment();
  const back = new Set(returned);
  // These were changed in this moment before. What they looked like then was never seen, so it is not kept: the row that
  // ends at this moment is made again from the state before the moment.
  const isAgain = (id: NodeId, row: NodeRow | null): boolean => (row === null ? back.has(id) : row.since === moment);
  const touched = [
    ...nodes.filter(isChanged).map(({ before, now }) => ({ id: now.identity.id, row: before })),
    ...gone.map((row) => ({ id: row.identity.id, row })),
  ];
  const again = touched.filter(({ id, row }) => isAgain(id, row)).map(({ id }) => id);
  const ended = await (again.length === 0 ? new Map<never, never>() : store.loadKept(again, moment));
  const stored = touched.flatMap(({ id, row }) => (row !== null && (row.since < moment || ended.has(id)) ? [row] : []));
  const states = await (stored.length === 0 ? new Map<never, never>() : store.loadStates(stored));

  const rows: KeptNode[] = [];
  const unchanged: NodeId[] = [];
  /** The state before this moment; null if there was none. */
  const priorOf = (id: NodeId, row: NodeRow | null): Prior | null => {
    const state = states.get(id) ?? null;
    const kept = ended.get(id);
    if (kept !== undefined) return { since: kept.since, state: restoreNode(kept, state) };
    return row === null || state === null ? null : { since: row.since, state };
  };
  for (const row of gone) {
    const prior = priorOf(row.identity.id, row);
    if (prior !== null) rows.push(toKept(prior, moment, prior.state, true));
  }
  const changes = nodes.map((change): NodeChange => {
    const { before, now } = change;
    if (!isChanged(change)) return change;
    const prior = priorOf(now.identity.id, before);
    if (prior === null) return { ...change, now: { ...now, since: moment } };
    const was = differenceOf(prior.state, toState(change));
    if (was === null) unchanged.push(now.identity.id);
    else rows.push(toKept(prior, moment, was, false));
    return { ...change, now: { ...now, since: was === null ? prior.since : moment } };
  });
  const dropped = unchanged.filter((id) => ended.has(id));
  if (dropped.length > 0) await store.dropKept(dropped, moment);
  if (rows.length > 0) await store.saveKept(rows);
  return changes;
}

function toState({ now: { createdAt, updatedAt, lineageOwner }, shown, statedBy }: NodeChange): NodeState {
  const { columnNames: _, ...own } = shown;
  return { ...own, createdAt, updatedAt, lineageOwner, statedBy };
}

function toKept({ since, state }: Prior, until: number, was: NodeDifference, isWhole: boolean): KeptNode {
  const { id, parentId, key } = state;
  return { id, parentId, key, since, until, isWhole, was };
}
