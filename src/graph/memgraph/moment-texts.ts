/** The places of moments, and of what began or ended at them, in indexes. The texts have the order of the numbers. */
import type { WorkspaceId } from "../../ids.ts";
import type { Moment } from "../history/moments.ts";

function padded(number: number): string {
  return String(number).padStart(12, "0");
}

/** The place of a moment in the index, which is in the order of writing. */
export function momentText(workspace: WorkspaceId, { at, number }: Pick<Moment, "at" | "number">): string {
  return `${workspace}\u0001${at}\u0001${padded(number)}`;
}

/** The place of what began or ended at a moment in the index. */
export function endText(workspace: WorkspaceId, moment: number): string {
  return `${workspace}\u0001${padded(moment)}`;
}

/** The same for what is there now. Nothing is asked of the first moment, so most of a first crawl is in no index. */
export function beginText(workspace: WorkspaceId, since: number): string | null {
  return since > 1 ? endText(workspace, since) : null;
}
