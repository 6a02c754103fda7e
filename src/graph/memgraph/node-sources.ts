/** Reads what each connector calls a node. */
import { joinSources, type NodeSource } from "../../catalog/node-source.ts";
import { toLayer } from "../core/merge-nodes.ts";
import type { ClaimRow } from "../rows.ts";
import type { Read } from "./bolt.ts";
import { loadClaims } from "./claims.ts";

export const loadSources: Read<"loadSources"> = async (run, workspace, ids) => {
  const claims = await loadClaims(run, workspace, [...new Set(ids)]);
  return ids.map((id) => joinSources((claims.get(id) ?? []).map(toSource)));
};

function toSource(claim: ClaimRow): NodeSource {
  const { connectorId, connectorName, existence, type, since } = claim;
  const { fqn, instance, alikeNames } = toLayer(claim).facts;
  return { connectorId, connectorName, existence, type, fqn, instance, alikeNames, since };
}
