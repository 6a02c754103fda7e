/** The write of somebody who names a node that others state. */
import type { CatalogNode } from "../catalog/asset.ts";
import { toFacts } from "../catalog/statement.ts";
import type { NodeWrite } from "./catalog-writes.ts";

/** The parts of a node that are stated of it if it is only named. */
export type NamedNode = Pick<CatalogNode, "id" | "type" | "platform" | "parentId" | "name" | "fqn">;

/** @param instance the installation of the platform, which is a part of the node's identity */
export function nameNode({ id, type, platform, parentId, name, fqn }: NamedNode, instance: string): NodeWrite {
  return { id, type, existence: "referenced", platform, parentId, facts: toFacts({ name, fqn, instance }) };
}
