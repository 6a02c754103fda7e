/** Shows the lineage of a node's owner and hides that of other connectors, whenever the owner changes. */
import type { CrawlStamp } from "../catalog-writes.ts";
import type { NodeChange, OwnerChange, RowStore } from "../rows.ts";
import { mergeAgain } from "./merge-nodes.ts";
import { saveChange } from "./save-change.ts";

/**
 * If the owner of nodes has changed, merges their columns again, and shows or hides their edges. The nodes themselves
 * must be saved already.
 * @param nodes `now` is null for a node that is gone
 */
export async function showLineage(
  store: RowStore,
  stamp: CrawlStamp,
  nodes: readonly { before: NodeChange["before"]; now: NodeChange["now"] | null }[],
): Promise<void> {
  const owners = nodes.flatMap(({ before, now }): OwnerChange[] => {
    const { identity } = now ?? before ?? {};
    const change = { before: before?.lineageOwner ?? null, now: now?.lineageOwner ?? null };
    if (identity === undefined || change.before === change.now) return [];
    return [{ id: identity.id, parentId: identity.parentId, ...change }];
  });
  if (owners.length === 0) return;
  const columns = await store.findSwitchedColumns(owners);
  const rows = columns.length === 0 ? [] : [...(await store.loadNodes(columns)).values()];
  const changed = (await mergeAgain(store, rows, stamp.at)).filter(({ isChanged }) => isChanged);
  const ids = changed.map(({ now }) => now.identity.id);
  await saveChange(store, { nodes: changed, changed: { by: stamp, nodes: ids }, owners });
}
