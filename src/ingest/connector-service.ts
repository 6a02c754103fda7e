/** Everything that people do with connectors, as one service. */
import { addConnector } from "./add-connector.ts";
import { changeConnector } from "./change-connector.ts";
import { createConnectorRemoval, type RemovalParts } from "./remove-connector.ts";
import { testConnector } from "./test-connector.ts";

/** Each method is described in the file that is named after it. */
export function createConnectorService(parts: RemovalParts) {
  return {
    add: addConnector.bind(null, parts),
    change: changeConnector.bind(null, parts),
    test: testConnector.bind(null, parts),
    ...createConnectorRemoval(parts),
  };
}
