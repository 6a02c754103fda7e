/** Calls that go on from an answer. Each works as it stands: its ids are of nodes that were just read. */
import type { Thing } from "../catalog.ts";
import type { ChangeType } from "../../catalog/impact.ts";
import type { SuggestedAction } from "../answer.ts";
import { changeOf } from "../lookup.ts";

type Target = Pick<Thing, "id" | "type">;

export function viewNode({ id, type }: Target): SuggestedAction {
  const [view, path] =
    type === "metric" ? (["view_metric", "metrics"] as const) : (["view_asset", "catalog/assets"] as const);
  return { type: view, endpoint: `/${path}/${encodeURIComponent(id)}`, params: {} };
}

export function viewUsers({ id }: Target): SuggestedAction {
  return { type: "view_lineage", endpoint: "/lineage/downstream", params: { asset_id: id } };
}

export function runImpact({ id, type }: Target, change: ChangeType): SuggestedAction {
  // REST has no change that takes an asset away: the nearest is one of its columns, if it has any.
  const params = { asset_id: id, change_type: changeOf(type, change === "asset_drop" ? "column_drop" : change) };
  return { type: "run_impact", endpoint: "/lineage/impact", params, changeType: changeOf(type, change) };
}

export function triggerSync(connectorId: string): SuggestedAction {
  return { type: "trigger_sync", endpoint: `/connectors/${encodeURIComponent(connectorId)}/sync`, params: {} };
}
