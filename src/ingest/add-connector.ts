/** Adds a connector. */
import { change } from "../auth/change.ts";
import type { Origin } from "../auth/origin.ts";
import type { Connector } from "../metadata/records.ts";
import { gatherFaults } from "../errors.ts";
import {
  checkOptions,
  checkRemovalShare,
  getConnectorType,
  type Options,
  requireReadable,
  requireSource,
} from "./connector-options.ts";
import { checkSchedule, type CronTimes } from "./cron.ts";
import type { ConnectorParts } from "./sync-name.ts";
import { testSource } from "./test-connector.ts";

export interface ConnectorRequest {
  type: string;
  name: string;
  options: Options;
  /** Whether the source must be readable now. */
  test: boolean;
  /** When it crawls by itself. Null: only when it is asked to. */
  schedule?: CronTimes | null;
  /** The largest share, in percent, that a crawl may remove without confirmation. Undefined: the default. */
  removalShare?: number | undefined;
}

/**
 * Checks the options by the rules of the connector's type, tests its source if asked to, and stores the connector.
 * @param signal stops the test of the source
 * @throws AppError `bad_request` with every fault, including those of the source; `conflict` if only the name is at
 * fault, because it is taken
 */
export async function addConnector(
  { store, findConnectorType, clock }: Omit<ConnectorParts, "graph">,
  origin: Origin,
  { type: typeName, name, options: given, test, schedule = null, removalShare }: ConnectorRequest,
  signal: AbortSignal,
): Promise<Connector> {
  const type = getConnectorType(findConnectorType, typeName);
  if (schedule !== null) requireSource({ name }, type);
  const readSource = async (): Promise<Options> => {
    const { options, parsed } = await checkOptions(type, given);
    if (test) requireReadable(await testSource(type, parsed, signal));
    return options;
  };
  const checkTimes = async () => (schedule === null ? null : checkSchedule(schedule, clock.now()));
  const [, options, times] = await gatherFaults([
    store.connectors.checkName(origin.workspace.id, name),
    readSource(),
    checkTimes(),
    checkRemovalShare(removalShare),
  ]);
  const { secretOptions } = type;
  return change(store, origin, async ({ connectors }, note) => {
    const workspaceId = origin.workspace.id;
    const { id } = await connectors.create({ workspaceId, type: typeName, name, options, secretOptions });
    await note("connector_added", id, { name, type: typeName, options: Object.keys(options) });
    if (removalShare !== undefined) await connectors.setRemovalShare(workspaceId, id, removalShare);
    return connectors.setSchedule(workspaceId, id, times);
  });
}
