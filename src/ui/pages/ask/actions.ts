/** The pages that go on from an answer. The service suggests calls of its REST API; here they become links. */
import type { IconName } from "../../parts/icon.tsx";
import { pathOfAsset, pathOfNode } from "../../assets/asset-row.ts";
import { pathOfImpact } from "../impact/change.ts";
import type { Answer } from "./documents.ts";

type Suggested = Answer["suggestedActions"][number];

export interface Action {
  href: string;
  label: string;
  icon: IconName;
}

export function listActions(suggested: readonly Suggested[]): Action[] {
  const actions = suggested.flatMap((it) => toAction(it) ?? []);
  return [...new Map(actions.map((action) => [action.href, action])).values()];
}

function toAction({ type, endpoint, params, changeType }: Suggested): Action | null {
  // Ids come after the last slash, or as a parameter.
  const last = decodeURIComponent(endpoint.slice(endpoint.lastIndexOf("/") + 1));
  const id = typeof params["asset_id"] === "string" ? params["asset_id"] : last;
  if (type === "run_impact")
    return { href: pathOfImpact(id, changeType ?? undefined), label: "See what breaks", icon: "impact" };
  if (type === "view_asset") return { href: pathOfAsset(id), label: "Open the asset", icon: "table" };
  if (type === "view_metric")
    return { href: pathOfNode({ id, type: "metric" }), label: "Open the metric", icon: "metric" };
  if (type === "view_lineage")
    return { href: `${pathOfAsset(id)}?tab=lineage`, label: "See the lineage", icon: "lineage" };
  return null;
}
