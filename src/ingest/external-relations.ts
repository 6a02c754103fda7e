/** Relations that another connector holds and that this connector's SQL names. */
import type { CatalogNode } from "../catalog/asset.ts";
import { nodeId, type NodeRef } from "../catalog/identity.ts";
import { fold } from "../catalog/text.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { CrawlStamp, NodeWrite } from "../graph/catalog-writes.ts";
import { nameNode } from "../graph/name-node.ts";
import type { WorkspaceName } from "../ids.ts";
import type { LoadExternalRelations } from "./find-relations.ts";
import { type KnownRelation, newRelation } from "./known-relations.ts";

/** @param workspaceName the workspace's name, which is part of ids */
export function createExternalRelationLoader(
  graph: Pick<GraphReader, "loadNodes" | "loadColumns">,
  { workspace, connectorName }: Pick<CrawlStamp, "workspace" | "connectorName">,
  workspaceName: WorkspaceName,
): LoadExternalRelations {
  // A node that no other connector holds exists only because this one named it before.
  const isOthers = (node: CatalogNode): boolean => node.connectors.some((name) => name !== connectorName);
  return async (refs) => {
    const ids = refs.map((ref) => nodeId(workspaceName, ref));
    const nodes = await graph.loadNodes(workspace, ids);
    const held = nodes.flatMap((node, i) => {
      const ref = refs[i];
      return node === null || ref === undefined || !isOthers(node) ? [] : [{ node, ref }];
    });
    const columns = await graph.loadColumns(
      workspace,
      held.map(({ node }) => node.id),
    );
    return new Map(
      held.map(({ node, ref }, i) => {
        const listed = (columns[i] ?? []).filter((column) => isOthers(column) && !column.inferred);
        return [node.id, toExternalRelation(node, ref, listed)];
      }),
    );
  };
}

function toExternalRelation(node: CatalogNode, ref: NodeRef, listed: readonly CatalogNode[]): KnownRelation {
  const isTyped = listed.some(({ dataType }) => dataType !== "");
  const completeness = node.columnLineage?.status === "known" ? "all" : isTyped ? "seen" : "some";
  const columns = new Map(listed.map((column) => [fold(column.name), column]));
  const names = listed.map(({ name }) => name);
  return { ...newRelation(ref, names, completeness), external: { node, columns, named: new Set() } };
}

/**
 * The relation and those of its columns that SQL names. This connector only names them, so it states nothing else about
 * them.
 */
export function expandExternalRelation({ external, ref: { instance } }: KnownRelation): NodeWrite[] {
  if (external === undefined) return [];
  const { node, columns, named } = external;
  const used = [...named].flatMap((key) => columns.get(key) ?? []);
  return [node, ...used].map((each) => nameNode(each, instance));
}
