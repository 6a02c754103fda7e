/** Configures a connector. */
import { change } from "../auth/change.ts";
import type { Origin } from "../auth/origin.ts";
import type { Connector } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { FindConnectorType } from "./connector-types.ts";
import { checkOptions, getConnectorType, type Options, requireReadable } from "./connector-options.ts";

export interface ConnectorRequest {
  type: string;
  name: string;
  options: Options;
  /** Whether its source must be readable now. */
  test: boolean;
}

/**
 * Checks the options by the connector's type, looks at its source, and keeps it.
 * @param signal calls off the look at the source
 * @throws AppError `bad_request` listing every fault, also of the source; `conflict` for a name that is taken
 */
export async function addConnector(
  { store, findConnectorType }: { store: MetadataStore; findConnectorType: FindConnectorType },
  origin: Origin,
  { type: typeName, name, options: given, test }: ConnectorRequest,
  signal: AbortSignal,
): Promise<Connector> {
  const type = getConnectorType(findConnectorType, typeName);
  const { options, parsed } = await checkOptions(type, given);
  if (test) requireReadable(await type.test(parsed, signal));
  const { secretOptions } = type;
  return change(store, origin, async ({ connectors }, note) => {
    const workspaceId = origin.workspace.id;
    const connector = await connectors.create({ workspaceId, type: typeName, name, options, secretOptions });
    await note("connector_added", connector.id, { name, type: typeName, options: Object.keys(options) });
    return connector;
  });
}
