/** The lineage index of one thread. */
import { createLineageIndex, type LineageIndex } from "../lineage-index/lineage-index.ts";
import { MOST_CHANGES } from "../lineage-index/named-lineage.ts";
import type { SharedLineage } from "../lineage-index/shared-lineage.ts";
import { lineageRows } from "./lineage-rows.ts";
import type { Statements } from "./statements.ts";

export function createThreadLineage(sql: Statements) {
  const rows = lineageRows(sql);
  let own: { position: number; index: LineageIndex } | null = null;
  return {
    /**
     * The index at the state of the transaction, which has begun.
     * @param shared the lists that the threads share, if there are any
     * @returns null if it cannot be brought to that state; then the file itself must be read
     */
    at(shared: SharedLineage | null): LineageIndex | null {
      if (shared === null) own = null;
      else if (own?.position !== shared.position) {
        own = { position: shared.position, index: createLineageIndex(shared) };
      }
      return own?.index.catchUp(rows) === true ? own.index : null;
    },
    /** Whether newer lists are needed. */
    isOutdated: () => own === null || own.index.changes() > MOST_CHANGES,
  };
}
