/** Writes a connector's new name to the graph. */
import type { Clock } from "../clock.ts";
import type { CatalogGraph } from "../graph/catalog-graph.ts";
import type { Connector } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { FindConnectorType } from "./connector-types.ts";
import { stampOf } from "./stamp.ts";

/** What is needed to work with connectors. */
export interface ConnectorParts {
  graph: CatalogGraph;
  store: MetadataStore;
  findConnectorType: FindConnectorType;
  clock: Clock;
}

/** Finishes a change of the connector's name. If there is nothing to finish, it does nothing. It may be repeated. */
export async function syncName(
  { graph, store, findConnectorType, clock }: ConnectorParts,
  connector: Connector,
): Promise<void> {
  const { id, workspaceId, name, knownAs, type } = connector;
  if (name === knownAs) return;
  const stamp = stampOf(connector, findConnectorType(type), { id: "", run: 0 }, clock);
  let after: string | null = null;
  do after = await graph.renameConnector(stamp, after);
  while (after !== null);
  await store.connectors.setKnownAs(workspaceId, id, name);
}
