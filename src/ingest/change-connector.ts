/** Changes a connector: its name, its options, or whether it crawls. */
import { isDeepStrictEqual } from "node:util";

import { change, type Note } from "../auth/change.ts";
import type { Origin } from "../auth/origin.ts";
import { AppError, gatherFaults, notFound } from "../errors.ts";
import type { ConnectorId, WorkspaceId } from "../ids.ts";
import type { Connector } from "../metadata/records.ts";
import type { Repositories } from "../metadata/store.ts";
import type { LocalQueue } from "./queue/local.ts";
import {
  changeOptions,
  checkOptions,
  checkRemovalShare,
  getConnectorType,
  type Options,
  type OptionsChange,
  requireReadable,
  requireSource,
} from "./connector-options.ts";
import { checkSchedule, type CronTimes } from "./cron.ts";
import { testSource } from "./test-connector.ts";
import { type ConnectorParts, syncName } from "./sync-name.ts";

export interface ConnectorChange {
  id: ConnectorId;
  /** Undefined keeps the name. */
  name?: string | undefined;
  /** Options that it does not name stay as they are; undefined keeps all. */
  options?: OptionsChange | undefined;
  /** A disabled connector does not crawl. Its queued and running syncs are cancelled. */
  disabled?: boolean | undefined;
  /** Undefined keeps the schedule; null removes it. */
  schedule?: CronTimes | null | undefined;
  /** The largest share, in percent, that a crawl may remove without confirmation. Undefined keeps it. */
  removalShare?: number | undefined;
  /** Whether the source must be readable now if the options change. */
  test: boolean;
}

/** The new options, and the options that they were made from. */
interface NewOptions {
  before: Options;
  options: Options;
  secretOptions: readonly string[];
}

/**
 * @param signal stops the test of the source
 * @throws AppError `bad_request` with every fault, including those of the source; `not_found`; `conflict` if the name
 * is taken, if the name changes while a sync is running, or if somebody else changed the options meanwhile
 */
export async function changeConnector(
  parts: ConnectorParts & { queue: Pick<LocalQueue, "nudge"> },
  origin: Origin,
  request: ConnectorChange,
  signal: AbortSignal,
): Promise<Connector> {
  const { store, queue } = parts;
  const options = await checkChange(parts, origin, request, signal);
  const now = parts.clock.now();
  const changed = await change(store, origin, (nouns, note) =>
    applyChange(nouns, note, { origin, request, options, now }),
  );
  // A worker of this process then learns at once that its sync is cancelled.
  queue.nudge();
  await syncName(parts, changed);
  return changed;
}

async function checkChange(
  { store, findConnectorType, clock }: ConnectorParts,
  { workspace }: Origin,
  { id, options: changes, schedule, removalShare, test }: ConnectorChange,
  signal: AbortSignal,
): Promise<NewOptions | null> {
  const connector = await getConnector(store, workspace.id, id);
  if (schedule) requireSource(connector, findConnectorType(connector.type));
  const readSource = async (): Promise<NewOptions | null> => {
    if (changes === undefined) return null;
    const type = getConnectorType(findConnectorType, connector.type);
    const { options, parsed } = await checkOptions(type, changeOptions(type, connector, changes));
    if (test) requireReadable(await testSource(type, parsed, signal));
    return { before: connector.options, options, secretOptions: type.secretOptions };
  };
  const checkTimes = async () => schedule && checkSchedule(schedule, clock.now());
  const [options] = await gatherFaults([readSource(), checkTimes(), checkRemovalShare(removalShare)]);
  return options;
}

async function applyChange(
  { connectors, syncs, inbox }: Repositories,
  note: Note,
  given: { origin: Origin; request: ConnectorChange; options: NewOptions | null; now: Date },
): Promise<Connector> {
  const { request, options } = given;
  const workspaceId = given.origin.workspace.id;
  const { id, name, disabled } = request;
  const before = await getConnector({ connectors }, workspaceId, id);
  const details: Record<string, unknown> = {};
  if (name !== undefined && name !== before.name) {
    await connectors.rename(workspaceId, id, name);
    details["name"] = { from: before.name, to: name };
  }
  if (options !== null && !isDeepStrictEqual(options.options, before.options)) {
    if (!isDeepStrictEqual(options.before, before.options)) {
      throw new AppError(
        "conflict",
        `The options of ${before.name} were changed by somebody else at the same time: load them again.`,
      );
    }
    await connectors.setOptions(workspaceId, id, options);
    // What was received may mean something else by the new options.
    await inbox.reopen(workspaceId, id);
    // Only the names: a value may be a secret or contain one.
    const all = { ...before.options, ...options.options };
    details["options"] = Object.keys(all).filter((key) => before.options[key] !== options.options[key]);
  }
  if (disabled !== undefined && disabled !== (before.disabledAt !== null)) {
    await connectors.setDisabled(workspaceId, id, disabled);
    if (disabled) await syncs.cancelAll(workspaceId, id);
    details["disabled"] = { from: !disabled, to: disabled };
  }
  Object.assign(details, await applyTimes(connectors, before, given));
  if (request.removalShare !== undefined && request.removalShare !== before.removalShare) {
    await connectors.setRemovalShare(workspaceId, id, request.removalShare);
    details["removalShare"] = { from: before.removalShare, to: request.removalShare };
  }
  if (Object.keys(details).length > 0) await note("connector_changed", id, { connector: before.name, ...details });
  return getConnector({ connectors }, workspaceId, id);
}

/**
 * Changes when the connector runs. If it is enabled again, it does not make up for the times that it missed.
 * @returns what to note of the change
 */
async function applyTimes(
  connectors: Repositories["connectors"],
  { id, workspaceId, schedule: before, disabledAt }: Connector,
  { request: { schedule, disabled }, now }: { request: ConnectorChange; now: Date },
): Promise<Record<string, unknown>> {
  const isEnabled = disabledAt !== null && disabled === false;
  const wanted = schedule === undefined && isEnabled ? before : schedule;
  if (wanted === undefined) return {};
  const after = wanted === null ? null : checkSchedule(wanted, now);
  await connectors.setSchedule(workspaceId, id, after);
  const [from, to] = [before, after].map((each) => (each === null ? null : `${each.cron} ${each.timeZone}`));
  return from === to ? {} : { schedule: { from, to } };
}

/** @throws AppError `not_found`, also if the connector is being removed */
async function getConnector(
  { connectors }: Pick<Repositories, "connectors">,
  workspaceId: WorkspaceId,
  id: ConnectorId,
): Promise<Connector> {
  const connector = await connectors.findById(workspaceId, id);
  if (connector === null || connector.removingAt !== null) throw notFound("connector", id);
  return connector;
}
