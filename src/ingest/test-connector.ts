/** Tests a source without writing anything, so that mistakes are found before the first crawl. */
import type { ConnectorType, SourceFinding } from "../connectors/connector.ts";
import { badField, gatherFaults, notFound } from "../errors.ts";
import type { ConnectorId, WorkspaceId } from "../ids.ts";
import { checkSchedule, type CronTimes } from "./cron.ts";
import {
  changeOptions,
  checkOptions,
  getConnectorType,
  type OptionsChange,
  requireReadable,
} from "./connector-options.ts";
import type { ConnectorParts } from "./sync-name.ts";

/** @returns the problems of the source; [] if there is none to read */
export async function testSource(
  { pull }: Pick<ConnectorType, "pull">,
  options: unknown,
  signal: AbortSignal,
): Promise<SourceFinding[]> {
  return pull === undefined ? [] : pull.test(options, signal);
}

/** A connector that exists, one that does not exist yet, or one that exists, with other options. */
export interface TestRequest {
  workspaceId: WorkspaceId;
  /** The connector's id; undefined if it does not exist yet. */
  id?: ConnectorId | undefined;
  /** Needed if there is no id. */
  type?: string | undefined;
  options: OptionsChange;
  /** The name and the schedule that it shall have, if these are checked as well. */
  name?: string | undefined;
  schedule?: CronTimes | null | undefined;
}

/**
 * @returns the faults of the source; [] if a crawl can read it
 * @throws AppError `bad_request` with every fault if the type does not take the options, or if the name or the schedule
 * is at fault; `not_found` if the connector does not exist
 */
export async function testConnector(
  { store, findConnectorType, clock }: Omit<ConnectorParts, "graph">,
  { workspaceId, id, type: typeName, options: change, name, schedule }: TestRequest,
  signal: AbortSignal,
): Promise<SourceFinding[]> {
  if ((id === undefined) === (typeName === undefined)) throw badField("id", "give either id or type");
  const connector = id === undefined ? null : await store.connectors.findById(workspaceId, id);
  if (id !== undefined && connector === null) throw notFound("connector", id);
  const type = getConnectorType(findConnectorType, connector?.type ?? typeName ?? "");
  const others = gatherFaults([
    name === undefined ? null : store.connectors.checkName(workspaceId, name, id),
    Promise.try(() => schedule && checkSchedule(schedule, clock.now())),
  ]);
  const areSound = others.then(
    () => true,
    () => false,
  );
  const readSource = async (): Promise<SourceFinding[]> => {
    const { parsed } = await checkOptions(type, changeOptions(type, connector ?? { options: {} }, change));
    const findings = await testSource(type, parsed, signal);
    if (!(await areSound)) requireReadable(findings);
    return findings;
  };
  const [findings] = await gatherFaults([readSource(), others]);
  return findings;
}
