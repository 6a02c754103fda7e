/** Calls that go on from an answer. Each works as it stands: its ids are of nodes that were just read. */
import type { Thing } from "../catalog.ts";
import type { ChangeType } from "../../catalog/impact.ts";
import type { SuggestedAction } from "../answer.ts";
import { changeOf } from "../lookup.ts";

/** To look at what uses an asset, and before that at the asset, or at what a change of it affects. */
export function suggestFor({ id, type }: Thing, change?: ChangeType): SuggestedAction[] {
  const users: SuggestedAction = { type: "view_lineage", endpoint: "/lineage/downstream", params: { asset_id: id } };
  if (change === undefined && type === "metric")
    return [{ type: "view_metric", endpoint: `/metrics/${id}`, params: {} }, users];
  if (change === undefined) return [{ type: "view_asset", endpoint: `/catalog/assets/${id}`, params: {} }, users];
  // REST has no change that takes an asset away: the nearest is one of its columns, if it has any.
  const params = { asset_id: id, change_type: changeOf(type, change === "asset_drop" ? "column_drop" : change) };
  return [{ type: "run_impact", endpoint: "/lineage/impact", params, changeType: changeOf(type, change) }, users];
}

export function triggerSync(connectorId: string): SuggestedAction {
  return { type: "trigger_sync", endpoint: `/connectors/${encodeURIComponent(connectorId)}/sync`, params: {} };
}
