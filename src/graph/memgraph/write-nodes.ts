/** Records the nodes that a crawl states, and what a person says about them. */
import type { CatalogNode } from "../../catalog/asset.ts";
import { type Edit, type EditStamp, listEdits } from "../../catalog/edits.ts";
import { type ConnectorLayer, lineageOwner } from "../../catalog/layers.ts";
import type { NodeId, WorkspaceId } from "../../ids.ts";
import type { CrawlStamp, CurationChange, NodeWrite } from "../catalog-writes.ts";
import { changeCuration } from "../curation.ts";
import type { Run } from "./bolt.ts";
import { loadLayers, saveClaims, sourceOf } from "./claims.ts";
import { updateShownLineage } from "./lineage-owner.ts";
import { loadNodes } from "./read-nodes.ts";
import { openSource } from "./sources.ts";
import {
  forgetRemoved,
  loadLineageOwners,
  loadPresent,
  loadRemoved,
  type Present,
  saveAssets,
  show,
} from "./stored-asset.ts";

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

  const layersNow = new Map<string, ConnectorLayer[]>(
    writes.map(({ id, type, existence = "held", facts }) => {
      const own: ConnectorLayer = { ...stamp, scope, type, existence, facts };
      return [id, [...(others.get(id) ?? []), own]];
    }),
  );
  const parents = await loadLineageOwners(
    run,
    workspace,
    writes.flatMap(({ parentId }) => parentId ?? []),
  );
  for (const [id, layers] of layersNow) parents.set(id, lineageOwner(layers) ?? "");

  const merged = writes.map((write) => {
    const { id, platform, parentId } = write;
    const before = present.get(id) ?? removed.get(id) ?? null;
    const identity = { id, workspace, platform, parentId };
    const parentLineageOwner = parents.get(parentId ?? "") ?? "";
    return {
      write,
      shown: show(identity, layersNow.get(id) ?? [], before, { parentLineageOwner, at: stamp.at }),
    };
  });
  await forgetRemoved(run, workspace, [...removed.keys()]);
  await saveAssets(
    run,
    workspace,
    merged.filter(({ shown }) => shown.stale).map(({ shown }) => shown),
  );
  await saveClaims(run, stamp, scope, merged);
  await updateShownLineage(
    run,
    stamp,
    merged.map(({ write: { id, parentId }, shown }) => {
      return { id, parentId, before: present.get(id)?.lineageOwner ?? "", now: shown.lineageOwner };
    }),
  );
}

export async function curate(
  run: Run,
  workspace: WorkspaceId,
  id: NodeId,
  change: CurationChange,
  edit: EditStamp,
): Promise<CatalogNode | null> {
  const present = (await loadPresent(run, workspace, [id])).get(id);
  if (present === undefined) return null;
  await saveCurated(run, { ...present, curation: changeCuration(present.curation, change, edit) }, edit.at);
  return (await loadNodes(run, workspace, [id]))[0] ?? null;
}

/** Saves a node with a new curation. */
export async function saveCurated(run: Run, curated: Present, at: string): Promise<void> {
  const { id, workspace, parentId } = curated.identity;
  const layers = (await loadLayers(run, workspace, [id])).get(id) ?? [];
  const parents = await loadLineageOwners(run, workspace, parentId === null ? [] : [parentId]);
  const parentLineageOwner = parents.get(parentId ?? "") ?? "";
  await saveAssets(run, workspace, [show(curated.identity, layers, curated, { parentLineageOwner, at })]);
}

export async function loadEdits(run: Run, workspace: WorkspaceId, ids: readonly NodeId[]): Promise<Edit[][]> {
  const present = await loadPresent(run, workspace, [...new Set(ids)]);
  return ids.map((id) => listEdits(present.get(id)?.curation ?? {}));
}
