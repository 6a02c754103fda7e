/** How connectors stand, and how their last crawls went. */
import { fold } from "../../catalog/text.ts";
import type { Fact } from "../answer.ts";
import type { ConnectorSeen } from "../catalog.ts";
import type { PlanOf, Tools } from "./tell-sets.ts";
import { count, joinWords, minute, quote, say, tick } from "./words.ts";

type SyncSeen = NonNullable<ConnectorSeen["lastSync"]>;

const MAX_CONNECTORS = 10;

export async function tellConnectors(plan: PlanOf<"connectors">, { lookup }: Tools): Promise<Fact[]> {
  const { items, total } = await lookup.connectors();
  const asked = plan.names?.map(fold);
  const wanted = items.filter(({ name }) => asked?.includes(fold(name)) ?? true);
  const unknown = plan.names?.filter((asks) => wanted.every(({ name }) => fold(name) !== fold(asks))) ?? [];
  if (unknown.length > 0) return [say(`There is no connector called ${joinWords(unknown.map(tick), "or")}.`)];
  if (wanted.length === 0) return [say("There are no connectors.")];
  const amount = plan.names === undefined ? (total ?? items.length) : wanted.length;
  const isFaulty = wanted.some(({ lastSync }) => (lastSync?.errorsTotal ?? 0) > 0);
  return [
    ...(plan.faults === undefined ? [] : [say(isFaulty === (plan.faults === "any") ? "Yes." : "No.")]),
    ...(plan.count || amount > 1 ? [say(`There ${amount === 1 ? "is" : "are"} ${count(amount, "connector")}.`)] : []),
    ...wanted.slice(0, MAX_CONNECTORS).map((each): Fact => say(sayConnector(each))),
  ];
}

function sayConnector({ name, type, health, disabledAt, schedule, lastSync }: ConnectorSeen): string {
  const went = lastSync === null ? "It has never been synced." : saySync(lastSync);
  const when = schedule === null ? "It has no schedule." : `It syncs by the schedule ${tick(schedule.cron)}.`;
  return `The connector ${tick(name)}, of type ${tick(type)}, is ${disabledAt === null ? health : "disabled"}. ${went} ${when}`;
}

function saySync({
  status,
  completedAt,
  startedAt,
  queuedAt,
  assetsDiscovered,
  errors,
  errorsTotal,
}: SyncSeen): string {
  const at = minute(completedAt ?? startedAt ?? queuedAt);
  const faults = errorsTotal === 0 ? "no errors" : sayFaults(errors, errorsTotal);
  const [first] = errors.toSorted((a, b) => (a.severity < b.severity ? -1 : 1));
  const worst = first === undefined ? "" : ` The first: ${quote(first.message)}.`;
  const went = status === "completed" ? `completed at ${at}` : `is ${status}, as of ${at}`;
  return `Its last sync ${went} with ${faults}: it discovered ${count(assetsDiscovered, "asset")}.${worst}`;
}

/** Only the first faults are kept, and all are counted. */
function sayFaults(kept: SyncSeen["errors"], total: number): string {
  const errors = kept.filter(({ severity }) => severity === "error").length;
  if (errors === kept.length && errors < total)
    return `at least ${count(errors, "error")}, and ${count(total)} errors and warnings in all`;
  return `${errors === 0 ? "no errors" : count(errors, "error")} and ${count(total - errors, "warning")}`;
}
