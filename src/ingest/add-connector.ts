/** Adds a connector. */
import { change } from "../auth/change.ts";
import type { Origin } from "../auth/origin.ts";
import type { Connector } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { FindConnectorType } from "./connector-types.ts";
import { checkOptions, getConnectorType, type Options, requireReadable } from "./connector-options.ts";
import { testSource } from "./test-connector.ts";

export interface ConnectorRequest {
  type: string;
  name: string;
  options: Options;
  /** Whether the source must be readable now. */
  test: boolean;
}

/**
 * Checks the options by the rules of the connector's type, tests its source if asked to, and stores the connector.
 * @param signal stops the test of the source
 * @throws AppError `bad_request` with every fault, including those of the source; `conflict` if the name is taken
 */
export async function addConnector(
  { store, findConnectorType }: { store: MetadataStore; findConnectorType: FindConnectorType },
  origin: Origin,
  { type: typeName, name, options: given, test }: ConnectorRequest,
  signal: AbortSignal,
): Promise<Connector> {
  const type = getConnectorType(findConnectorType, typeName);
  const { options, parsed } = await checkOptions(type, given);
  if (test) requireReadable(await testSource(type, parsed, signal));
  const { secretOptions } = type;
  return change(store, origin, async ({ connectors }, note) => {
    const workspaceId = origin.workspace.id;
    const connector = await connectors.create({ workspaceId, type: typeName, name, options, secretOptions });
    await note("connector_added", connector.id, { name, type: typeName, options: Object.keys(options) });
    return connector;
  });
}
