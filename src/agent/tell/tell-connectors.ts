/** How connectors stand, and how their last crawls went. */
import { fold } from "../../catalog/text.ts";
import type { Fact } from "../answer.ts";
import type { ConnectorSeen } from "../catalog.ts";
import type { PlanOf } from "../plan.ts";
import type { Tools } from "./tell-sets.ts";
import { count, isAre, joinWords, minute, quote, say, tick } from "./words.ts";

type SyncSeen = NonNullable<ConnectorSeen["lastSync"]>;

const MAX_CONNECTORS = 10;

export async function tellConnectors({ names, count: counts }: PlanOf<"connectors">, tools: Tools): Promise<Fact[]> {
  const { items } = await tools.lookup.connectors();
  const unknown = names?.filter((asks) => items.every(({ name }) => fold(name) !== fold(asks))) ?? [];
  if (unknown.length > 0) return [say`There is no connector called ${joinWords(unknown.map(tick), "or")}.`];
  const wanted = items.filter(({ name }) => names?.map(fold).includes(fold(name)) ?? true);
  const amount = say`There ${isAre(wanted.length)} ${count(wanted.length, "connector")}.`;
  return [...(counts || wanted.length !== 1 ? [amount] : []), ...wanted.slice(0, MAX_CONNECTORS).map(sayConnector)];
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
