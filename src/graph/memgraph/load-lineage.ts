/** Reads the lineage of a workspace into memory, in many small statements, so that no transaction takes long. */
import { unavailable } from "../../errors.ts";
import type { WorkspaceId } from "../../ids.ts";
import { THE_SERVICE } from "../../work/caller.ts";
import { followLineage, loadNamedLineage, type NamedLineage } from "../lineage-index/named-lineage.ts";
import type { Bolt } from "./bolt.ts";
import { lineageStore } from "./lineage-store.ts";
import { slicerFor } from "./reader.ts";

/**
 * @param maxBytes the most that it may keep
 * @returns null if it needs more
 * @throws AppError `unavailable` if the log does not tell what changed meanwhile
 */
export async function loadLineage(
  { readMain, readTogether }: Pick<Bolt, "readMain" | "readTogether">,
  workspace: WorkspaceId,
  maxBytes: number,
): Promise<NamedLineage | null> {
  const slicer = slicerFor(THE_SERVICE);
  const loaded = await loadNamedLineage(lineageStore(readMain, workspace), maxBytes, slicer);
  if (loaded === null) return null;
  const lineage = await readTogether((run) => followLineage(loaded, lineageStore(run, workspace), slicer));
  if (lineage === null) throw unavailable("The lineage changed while it was read.");
  return lineage;
}
