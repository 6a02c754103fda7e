/** Records what a crawl says of nodes, and what a person does. */
import type { CatalogNode } from "../../catalog/asset.ts";
import { type Edit, type EditStamp, listEdits } from "../../catalog/edits.ts";
import type { ConnectorLayer } from "../../catalog/layers.ts";
import type { CrawlStamp, CurationChange, NodeWrite } from "../catalog-graph.ts";
import { changeCuration } from "../curation.ts";
import type { Run } from "./bolt.ts";
import { claimRow, loadLayers, SAVE_CLAIMS, sourceOf } from "./claims.ts";
import { loadNodes } from "./read-nodes.ts";
import { openSource } from "./sources.ts";
import { forgetRemoved, loadPresent, loadRemoved, saveAssets, show } from "./stored-asset.ts";

export async function writeNodes(
  run: Run,
  stamp: CrawlStamp,
  scope: string,
  nodes: readonly NodeWrite[],
): Promise<void> {
  const writes = [...new Map(nodes.map((node) => [node.id, node])).values()];
  if (writes.length === 0) return;
  await openSource(run, stamp, scope);
  const { workspace } = stamp;
  const ids = writes.map((write) => write.id);
  const present = await loadPresent(run, workspace, ids);
  const removed = await loadRemoved(run, workspace, ids);
  const others = await loadLayers(run, workspace, ids, sourceOf(stamp, scope));

  const merged = writes.map((write) => {
    const { id, type, platform, parentId, facts } = write;
    const own: ConnectorLayer = { ...stamp, scope, facts };
    const before = present.get(id) ?? removed.get(id) ?? null;
    const identity = { id, workspace, type, platform, parentId };
    return { write, shown: show(identity, [...(others.get(id) ?? []), own], before, stamp.at) };
  });
  await forgetRemoved(run, workspace, [...removed.keys()]);
  await saveAssets(
    run,
    merged.filter(({ shown }) => shown.changed).map(({ shown }) => shown.properties),
  );
  await run(SAVE_CLAIMS, { rows: merged.map(({ write, shown }) => claimRow(stamp, scope, write, shown.changed)) });
}

export async function curate(
  run: Run,
  workspace: string,
  id: string,
  change: CurationChange,
  edit: EditStamp,
): Promise<CatalogNode | null> {
  const present = (await loadPresent(run, workspace, [id])).get(id);
  if (present === undefined) return null;
  const layers = (await loadLayers(run, workspace, [id])).get(id) ?? [];
  const curated = { ...present, curation: changeCuration(present.curation, change, edit) };
  await saveAssets(run, [show(present.identity, layers, curated, edit.at).properties]);
  return (await loadNodes(run, workspace, [id]))[0] ?? null;
}

export async function loadEdits(run: Run, workspace: string, ids: readonly string[]): Promise<Edit[][]> {
  const present = await loadPresent(run, workspace, [...new Set(ids)]);
  return ids.map((id) => listEdits(present.get(id)?.curation ?? {}));
}
