/** How connectors stand, and how their last crawls went. */
import { fold } from "../../catalog/text.ts";
import type { Fact } from "../answer.ts";
import type { ConnectorSeen, SyncSeen } from "../catalog.ts";
import type { Plan } from "../plan.ts";
import type { Tools } from "./tell-sets.ts";
import { count, joinWords, minute, quote, tick, say } from "./words.ts";

const MAX_CONNECTORS = 10;

export async function tellConnectors(
  { names, count: asksCount, faults: asksFaults }: Extract<Plan, { tell: "connectors" }>,
  { lookup }: Tools,
): Promise<Fact[]> {
  const { items, total } = await lookup.connectors();
  const asked = names?.map(fold);
  const wanted = asked === undefined ? items : items.filter(({ name }) => asked.includes(fold(name)));
  const unknown = names?.filter((name) => wanted.every((each) => fold(each.name) !== fold(name))) ?? [];
  if (unknown.length > 0) return [say(sayUnknown(unknown, items, total))];
  if (wanted.length === 0) return [say("There are no connectors.")];
  const amount = names === undefined ? total : wanted.length;
  const lead =
    asksCount || amount > 1 ? [say(`There ${amount === 1 ? "is" : "are"} ${count(amount, "connector")}.`)] : [];
  const isFaulty = wanted.some(({ lastSync }) => (lastSync?.errorsTotal ?? 0) > 0);
  const verdict = asksFaults === undefined ? [] : [say(isFaulty === (asksFaults === "any") ? "Yes." : "No.")];
  return [...verdict, ...lead, ...wanted.slice(0, MAX_CONNECTORS).map((each): Fact => say(sayConnector(each)))];
}

function sayUnknown(names: readonly string[], items: readonly ConnectorSeen[], total: number): string {
  const known = items.slice(0, MAX_CONNECTORS).map(({ name }) => tick(name));
  const others = total > known.length ? [...known, `${total - known.length} more`] : known;
  const there =
    known.length === 0 ? "There are no connectors." : `There ${total === 1 ? "is" : "are"} ${joinWords(others)}.`;
  return `There is no connector called ${joinWords(
    names.map((name) => tick(name)),
    "or",
  )}. ${there}`;
}

function sayConnector({ name, type, health, disabledAt, schedule, lastSync }: ConnectorSeen): string {
  const state = disabledAt === null ? health : "disabled";
  const when =
    schedule === null
      ? "It has no schedule: it syncs when it is asked to."
      : `It syncs by the schedule ${tick(schedule.cron)}.`;
  return `The connector ${tick(name)}, of type ${tick(type)}, is ${state}. ${lastSync === null ? "It has never been synced." : saySync(lastSync)} ${when}`;
}

function saySync(sync: SyncSeen): string {
  const at = minute(sync.completedAt ?? sync.startedAt ?? sync.queuedAt);
  const faults = sync.errorsTotal === 0 ? "no errors" : sayFaults(sync);
  const worst = sync.errors.find(({ severity }) => severity === "error") ?? sync.errors[0];
  const first = worst === undefined ? "" : ` The first: ${quote(worst.message)}.`;
  const went = sync.status === "completed" ? `completed at ${at}` : `is ${sync.status}, as of ${at}`;
  return `Its last sync ${went} with ${faults}: it discovered ${count(sync.assetsDiscovered, "asset")}.${first}`;
}

function sayFaults({ errors, errorsTotal }: SyncSeen): string {
  const kept = errors.filter(({ severity }) => severity === "error").length;
  if (kept === errors.length && kept < errorsTotal)
    return `at least ${count(kept, "error")}, and ${errorsTotal.toLocaleString("en-US")} errors and warnings in all`;
  return `${kept === 0 ? "no errors" : count(kept, "error")} and ${count(errorsTotal - kept, "warning")}`;
}
