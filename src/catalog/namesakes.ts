/** Tells assets apart that have one fully qualified name: they are on other platforms or instances, or of other types. */
import type { CatalogNode } from "./asset.ts";
import { fold } from "./text.ts";

/** How many nodes of one name are told apart. */
export const MAX_NAMESAKES = 10;

export interface Namesake extends Pick<CatalogNode, "id" | "type" | "fqn" | "platform" | "connectors"> {
  /** See `NodeRef`. */
  instance: string;
}

/** Each by its fully qualified name. If several have it, what else is known of them is said too. */
export function describeNamesakes(nodes: readonly Namesake[]): string {
  const byFqn = Map.groupBy(nodes, ({ fqn }) => fold(fqn));
  return nodes
    .map((node) => (byFqn.get(fold(node.fqn))?.length === 1 ? node.fqn : `${node.fqn} (${describe(node)})`))
    .join(", ");
}

function describe({ id, type, platform, instance, connectors }: Namesake): string {
  const where = instance === "" ? [] : [`instance ${instance}`];
  return [`${type} on ${platform}`, ...where, `held by ${connectors.join(" and ")}`, `id ${id}`].join("; ");
}
