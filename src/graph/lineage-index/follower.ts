/** Keeps the lineage of workspaces in memory, and brings it to the state of each transaction that reads it. */
import type { WorkspaceId } from "../../ids.ts";
import { createLineageHolder } from "./lineage-holder.ts";
import type { Slicer } from "../../work/slicer.ts";
import { followLineage, type LineageStore, MOST_CHANGES, type NamedLineage } from "./named-lineage.ts";

export type LineageFollower = ReturnType<typeof createFollower>;

/**
 * Workspaces are loaded one after the other, so each knows how much memory the others leave.
 * @param load reads the lineage of a workspace; returns null if it needs more than `maxBytes`
 * @param maxBytes the most that the lineage of all workspaces may keep
 */
export function createLineageFollowers(
  load: (workspace: WorkspaceId, maxBytes: number) => Promise<NamedLineage | null>,
  maxBytes: number,
): (workspace: WorkspaceId) => LineageFollower {
  const followers = new Map<WorkspaceId, LineageFollower>();
  let lastLoad: Promise<unknown> = Promise.resolve();
  const loadBesideOthers = async (workspace: WorkspaceId): Promise<NamedLineage | null> => {
    const others = [...followers].filter(([other]) => other !== workspace);
    const room = others.reduce((left, [, { bytes }]) => left - bytes(), maxBytes);
    const lineage = await load(workspace, room);
    // Others may be dropped soon.
    if (lineage === null && room < maxBytes) throw new RangeError("the lineage of other workspaces leaves too little");
    return lineage;
  };
  return (workspace) =>
    followers.getOrInsertComputed(workspace, () =>
      createFollower(() => {
        const mine = lastLoad.then(() => loadBesideOthers(workspace));
        lastLoad = Promise.allSettled([mine]);
        return mine;
      }),
    );
}

function createFollower(load: () => Promise<NamedLineage | null>) {
  const { current: loaded, peek, renew, replace } = createLineageHolder(load);
  /** The lineage as it was read last; null if it is not in memory. The store may have changed. */
  const current = (): NamedLineage | null => {
    const lineage = loaded();
    if (lineage === null) renew();
    return lineage;
  };
  return {
    current,
    /**
     * The lineage at the state of a transaction.
     * @returns null if that cannot be known. Then the store must be asked, and the lineage is loaded for the next time.
     */
    async at(store: LineageStore, slicer: Slicer): Promise<NamedLineage | null> {
      const before = current();
      if (before === null) return null;
      const lineage = await followLineage(before, store, slicer);
      if (lineage === null || lineage.index.changes() > MOST_CHANGES) renew();
      if (lineage !== null) replace(before, lineage);
      return lineage;
    },
    /** Bytes that it keeps. */
    bytes: () => peek()?.bytes ?? 0,
  };
}
