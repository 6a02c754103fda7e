/**
 * Lets writes of one workspace that change its terms or its lineage run one after the other. Memgraph refuses a
 * transaction that adds a relationship to a node that another open transaction has changed, and the assets of a
 * workspace share their terms. So such writes would refuse each other again and again, late in their work.
 */
import type { WorkspaceId } from "../../ids.ts";
import type { Run } from "./bolt.ts";
import { noteChanges } from "./lineage-changes.ts";
import { integer } from "./values.ts";

/** The first statement of such a write. If another process writes, it is refused at once, and is tried again. */
export const TAKE_TURN = `
MERGE (l:WriteLine {id: $workspace, workspace: $workspace})
SET l.turns = coalesce(l.turns, 0) + 1
RETURN coalesce(l.changes, 0) AS changes`;

type Write = <T>(work: (run: Run) => Promise<T>) => Promise<T>;

/** Writes of this process wait here, and do not ask the store until it is their turn. */
export function createWriteLine(
  write: Write,
): <T>(workspace: WorkspaceId, work: (run: Run) => Promise<T>) => Promise<T> {
  const last = new Map<WorkspaceId, Promise<unknown>>();
  return async (workspace, work) => {
    const before = last.get(workspace) ?? Promise.resolve();
    const mine = before.then(() =>
      write(async (run) => {
        const [row] = await run(TAKE_TURN, { workspace });
        return noteChanges(run, workspace, integer(row?.[0] ?? 0), work);
      }),
    );
    // The next write does not care whether this one succeeded.
    const settled = Promise.allSettled([mine]);
    last.set(workspace, settled);
    try {
      return await mine;
    } finally {
      if (last.get(workspace) === settled) last.delete(workspace);
    }
  };
}
