/** How connectors stand, and how their last crawls went. */
import { fold } from "../../catalog/text.ts";
import type { Fact } from "../answer.ts";
import type { ConnectorSeen } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import type { PlanOf } from "../plan.ts";
import type { Tools } from "./tell-sets.ts";
import { count, isAre, joinWords, minute, quote, say, tick } from "./words.ts";

type SyncSeen = NonNullable<ConnectorSeen["lastSync"]>;

const MAX_CONNECTORS = 10;

/** The connectors that are asked about, and the names that none has. */
export async function findConnectors({ names }: PlanOf<"connectors">, lookup: Lookup) {
  const { items } = await lookup.connectors();
  const wanted = items.filter(({ name }) => names?.map(fold).includes(fold(name)) ?? true);
  return { wanted, unknown: names?.filter((asked) => wanted.every(({ name }) => fold(name) !== fold(asked))) ?? [] };
}

export async function tellConnectors(plan: PlanOf<"connectors">, { lookup }: Tools): Promise<Fact[]> {
  const { wanted, unknown } = await findConnectors(plan, lookup);
  if (unknown.length > 0) return [say`There is no connector called ${joinWords(unknown.map(tick), "or")}.`];
  const amount = say`There ${isAre(wanted.length)} ${count(wanted.length, "connector")}.`;
  return [...(plan.count || wanted.length !== 1 ? [amount] : []), ...wanted.slice(0, MAX_CONNECTORS).map(sayConnector)];
}

function sayConnector({ name, type, health, disabledAt, schedule, lastSync }: ConnectorSeen): Fact {
  const went = lastSync === null ? "It has never been synced." : saySync(lastSync);
  const when = schedule === null ? "It has no schedule." : `It syncs by the schedule ${tick(schedule.cron)}.`;
  return say`The connector ${tick(name)}, of type ${tick(type)}, is ${disabledAt === null ? health : "disabled"}. ${went} ${when}`;
}

function saySync(sync: SyncSeen): string {
  const { status, completedAt, startedAt, queuedAt, assetsDiscovered, errors, errorsTotal } = sync;
  const at = minute(completedAt ?? startedAt ?? queuedAt);
  const faults = errorsTotal === 0 ? "no errors" : sayFaults(errors, errorsTotal);
  const worst = errors.find(({ severity }) => severity === "error") ?? errors[0];
  const first = worst === undefined ? "" : ` The first: ${quote(worst.message)}.`;
  const went = status === "completed" ? `completed at ${at}` : `is ${status}, as of ${at}`;
  return `Its last sync ${went} with ${faults}: it discovered ${count(assetsDiscovered, "asset")}.${first}`;
}

/** Only the first faults are kept, and all are counted. */
function sayFaults(kept: SyncSeen["errors"], total: number): string {
  const errors = kept.filter(({ severity }) => severity === "error").length;
  if (errors === kept.length && errors < total)
    return `at least ${count(errors, "error")}, and ${count(total)} errors and warnings in all`;
  return `${errors === 0 ? "no errors" : count(errors, "error")} and ${count(total - errors, "warning")}`;
}
