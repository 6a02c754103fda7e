/** The rules of filters, for nodes that are in memory. */
import { type CatalogNode, ownerValues } from "../catalog/asset.ts";
import { keysWithin, schemaOf } from "../catalog/identity.ts";
import { NODE_TYPES } from "../catalog/node-types.ts";
import { fold, foldForSearch } from "../catalog/text.ts";
import type { NeighbourFilter, NodeFilter } from "./catalog-graph.ts";

/** What filters look at, of a node now or at an earlier time. */
type Filtered = Omit<CatalogNode, "usage">;

/** Whether a node that a connector states passes. */
export function passes(node: Filtered, filter: Omit<NodeFilter, "failing">): boolean {
  const { types, tag, certification, owner, connector, responsible, described, schema, directly, platform } = filter;
  const people = [node.owner, node.ownerName, node.certifiedBy ?? ""].map(fold);
  return (
    (types === "asset" ? node.type !== "metric" : types.includes(node.type)) &&
    (tag === undefined || node.tags.includes(tag)) &&
    (certification === undefined || node.certification === certification) &&
    (owner === undefined || ownerValues(node).includes(fold(owner))) &&
    (connector === undefined || node.connectors.includes(connector)) &&
    (responsible === undefined || people.includes(fold(responsible))) &&
    (described === undefined || (node.description !== "") === described) &&
    (platform === undefined || node.platform === platform) &&
    (schema === undefined || node.key.startsWith(keysWithin(schema).after)) &&
    (directly !== true || schemaOf(node) === fold(schema ?? ""))
  );
}

/** Whether a neighbour passes, whichever edges connect it. */
export function passesBeside(node: Filtered, only: Omit<NeighbourFilter, "kinds">): boolean {
  const { types = NODE_TYPES, nameParts = [], tag, certification, owner, connector } = only;
  const isByFacet = [tag, certification, owner, connector].some((value) => value !== undefined);
  if (isByFacet && node.existence !== "held") return false;
  return passes(node, { ...only, types }) && nameParts.every((part) => foldForSearch(node.name).includes(part));
}
