/** Everything that people do with connectors, as one service. */
import type { Origin } from "../auth/origin.ts";
import type { SourceFinding } from "../connectors/connector.ts";
import type { Connector } from "../metadata/records.ts";
import { addConnector, type ConnectorRequest } from "./add-connector.ts";
import { changeConnector, type ConnectorChange } from "./change-connector.ts";
import { type ConnectorRemoval, createConnectorRemoval, type RemovalParts } from "./remove-connector.ts";
import { testConnector, type TestRequest } from "./test-connector.ts";

/** Each method is described in the file that is named after it. */
export interface ConnectorService extends ConnectorRemoval {
  add(origin: Origin, request: ConnectorRequest, signal: AbortSignal): Promise<Connector>;
  change(origin: Origin, change: ConnectorChange, signal: AbortSignal): Promise<Connector>;
  test(request: TestRequest, signal: AbortSignal): Promise<SourceFinding[]>;
}

export function createConnectorService(parts: RemovalParts): ConnectorService {
  return {
    add: (...args) => addConnector(parts, ...args),
    change: (...args) => changeConnector(parts, ...args),
    test: (...args) => testConnector(parts, ...args),
    ...createConnectorRemoval(parts),
  };
}
