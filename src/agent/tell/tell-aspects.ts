/** What is told of one asset, or of each of a few: its owner, definition, columns, certification and so on. */
import type { Fact } from "../answer.ts";
import { dayOf, type Thing } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import type { Aspect } from "../plan.ts";
import { kindsOf } from "../run/is-met.ts";
import { sayThings } from "./read-as.ts";
import { type PlanOf, tellGroups, type Tools } from "./tell-sets.ts";
import { cite, citeAll, count, inTypeOrder, joinWords, listNames, listSome, minute } from "./words.ts";
import { named, plain, profile, quote, say, sayOwnerOf, tick } from "./words.ts";

const MAX_SUBJECTS = 5;
const MAX_STEPS = 6;
const MAX_CHECKS = 12;
/** Columns that are named with their types; more are only named. */
const MAX_TYPED = 60;

type Teller = (thing: Thing, lookup: Lookup) => Promise<string> | string;
type Way = "upstream" | "downstream";

/** The neighbours that an answer names besides its subject. */
const BESIDE: Readonly<Partial<Record<Aspect, readonly Way[]>>> = {
  definition: ["upstream"],
  "sources and uses": ["upstream", "downstream"],
};

export async function tellAspect({ find, aspect }: PlanOf<"aspect">, tools: Tools): Promise<Fact[]> {
  const { lookup, finder, names } = tools;
  const { things, total } = await finder.find(find);
  // What is named, and not in what the question is narrowed to, was not understood.
  if (things.length === 0) return find.ids === undefined ? [say(`There are no ${sayThings(find, names)}.`)] : [];
  const isNamed = find.ids !== undefined || find.where?.is === "name";
  if (aspect === "owner" && (!isNamed || things.length > MAX_SUBJECTS))
    return tellGroups({ tell: "groups", find, by: "owner" }, tools);
  const sorted = inTypeOrder(things);
  const [shown, left] = [sorted.slice(0, MAX_SUBJECTS), sorted.slice(MAX_SUBJECTS)];
  const facts = shown.map(async (thing): Promise<Fact> => {
    const near = await Promise.all((BESIDE[aspect] ?? []).map((way) => nearOf(thing, way, lookup)));
    return say(await TELLERS[aspect](thing, lookup), [cite(thing, profile(thing)), ...citeAll(near.flat())]);
  });
  return [
    ...(await Promise.all(facts)),
    ...(aspect === "checks" && shown.length > 1 && left.length === 0 ? [await tellSum(shown, lookup)] : []),
    ...(left.length > 0 ? [say(`Not told here: ${listNames(left, total - shown.length)}.`, citeAll(left))] : []),
  ];
}

async function tellSum(things: readonly Thing[], lookup: Lookup): Promise<Fact> {
  const checks = await lookup.checks(things.map(({ id }) => id));
  const sum = checks.values().reduce((all, { total }) => all + total, 0);
  return say(`Together they have ${count(sum, "check")}.`);
}

async function nearOf({ id }: Thing, way: Way, lookup: Lookup): Promise<Thing[]> {
  const { nodes } = await lookup.walk(id, way, 1);
  return inTypeOrder(await lookup.load(nodes.map((node) => node.id)));
}

const sayOwner: Teller = async (thing, lookup) => {
  const [parent = thing] = thing.parentId === null ? [] : await lookup.load([thing.parentId]);
  const owning = sayOwnerOf(thing) === null ? parent : thing;
  const owner = sayOwnerOf(owning);
  if (owner === null) return `${named(thing)} has no owner.`;
  const name = owning.owner !== "" && plain(owning.ownerName) !== "" ? ` (${quote(owning.ownerName)})` : "";
  return `${named(thing)} is owned by ${owner}${name}${owning === thing ? "" : `, through ${named(owning)}`}.`;
};

function sayDescription(thing: Thing): string {
  const { description } = thing;
  const said = description === "" ? "has no description" : `is described as: ${quote(description, 500)}`;
  return `${named(thing)} ${said}.`;
}

function sayWhat(thing: Thing): string {
  const { name, displayName, certification, dataType } = thing;
  const kinds = kindsOf(thing).filter((kind) => kind !== "model");
  const noun = kinds.length > 0 ? `${thing.type} (dbt ${joinWords(kinds)})` : thing.type;
  const what = certification === "none" ? noun : `${certification} ${noun}`;
  const shown = displayName !== "" && displayName !== name ? ` (${quote(displayName)})` : "";
  const type = dataType === "" ? "" : ` of type ${tick(dataType)}`;
  return `${named(thing)}${shown} is ${/^[aeiou]/.test(what) ? "an" : "a"} ${what}${type}, ${tick(thing.fqn)}.`;
}

function sayMaterialization(thing: Thing): string {
  return thing.materialization === ""
    ? `The materialization of ${named(thing)} is not known.`
    : `${named(thing)} is materialized as ${tick(thing.materialization)}.`;
}

const sayDefinition: Teller = async (thing, lookup) => {
  const { definition, description, materialization } = thing;
  const up = await nearOf(thing, "upstream", lookup);
  const from = up.length === 0 ? "" : ` It is made from ${listNames(up)}.`;
  const about = `${description === "" ? "" : ` ${sayDescription(thing)}`}${from}`;
  if (definition === null) return `${materialization === "" ? sayWhat(thing) : sayMaterialization(thing)}${about}`;
  const grain = definition.grain === "" ? "" : ` by ${tick(definition.grain)}`;
  const filters = definition.filters.length === 0 ? "" : `, only where ${definition.filters.map(tick).join(" and ")}`;
  return `${named(thing)} is computed as ${tick(definition.expression)}${grain}${filters}.${about}`;
};

function sayCertification({ certification, certifiedBy, certifiedAt, ...thing }: Thing): string {
  const by = certifiedBy === null ? "" : ` by ${plain(certifiedBy)}`;
  const at = certifiedAt === null ? "" : ` on ${dayOf(certifiedAt)}`;
  const said = {
    certified: `certified${by}${at}`,
    pending: "not certified: its certification is pending",
    deprecated: "deprecated",
    none: "not certified: nobody has said anything of its certification",
  }[certification];
  return `${named(thing)} is ${said}.`;
}

const sayTrail: Teller = async (thing, lookup) => {
  const steps = thing.type === "metric" ? await lookup.trail(thing.id) : [];
  const said = steps.slice(-MAX_STEPS).map(({ at, action, actor, note }) => {
    const why = note === null ? "" : `, ${quote(note)}`;
    return `${dayOf(at)}: ${action} by ${plain(actor)}${why}`;
  });
  const trail = said.length === 0 ? "" : ` Its trail: ${said.join("; ")}.`;
  const described = thing.certification === "certified" || thing.description === "" ? "" : ` ${sayDescription(thing)}`;
  return `${sayCertification(thing)}${trail}${described}`;
};

const sayColumns: Teller = async (thing, lookup) => {
  const columns = await lookup.columns([thing.id]);
  if (columns.length === 0) return `No columns of ${named(thing)} are known.`;
  const isTyped = columns.length <= MAX_TYPED;
  const told = columns.map(({ name, dataType: type }) => tick(name) + (isTyped && type ? ` (${plain(type)})` : ""));
  return `${named(thing)} has ${count(columns.length, "column")}: ${joinWords(told)}.`;
};

const sayChecks: Teller = async (thing, lookup) => {
  const { total, seen } = (await lookup.checks([thing.id])).get(thing.id) ?? { total: 0, seen: [] };
  if (total === 0) return `${named(thing)} has no checks.`;
  const told = seen.slice(0, MAX_CHECKS).map(({ name, status }) => `${tick(name)} (${status})`);
  return `${named(thing)} has ${count(total, "check")}: ${listSome(told, total)}.`;
};

const sayAround: Teller = async (thing, lookup) => {
  const near = await Promise.all((["upstream", "downstream"] as const).map((way) => nearOf(thing, way, lookup)));
  const [from, to] = near.map((things) => (things.length === 0 ? "nothing" : listNames(things)));
  const around = `${named(thing)} is made from ${from}, and used by ${to}.`;
  return thing.type === "column" ? `${around}${await sayDecided(thing, near.flat(), lookup)}` : around;
};

/** Columns to which no values go, but which a column decides by a join or a filter, and the other way round. */
async function sayDecided({ id }: Thing, direct: readonly Thing[], lookup: Lookup): Promise<string> {
  const known = new Set(direct.map((thing) => thing.id));
  const sayOthers = async (way: Way, lead: string): Promise<string[]> => {
    const others = (await lookup.walkAllUses(id, way)).nodes.filter((node) => !known.has(node.id));
    return others.length === 0 ? [] : [`${lead} ${listNames(await lookup.load(others.map((node) => node.id)))}`];
  };
  const said = [
    ...(await sayOthers("upstream", "its rows depend on")),
    ...(await sayOthers("downstream", "it decides the rows or values of")),
  ];
  return said.length === 0 ? "" : ` By joins, filters and conditions, ${joinWords(said)}.`;
}

function sayPlace(thing: Thing): string {
  const place = thing.fqn.split(".").slice(0, -1).join(".");
  const within = place === "" ? "" : `, in ${tick(place)}`;
  const where = thing.url === null ? "" : ` Its own tool shows it at ${plain(thing.url)}.`;
  return `${named(thing)} is ${tick(thing.fqn)}${within}, known from ${joinWords(thing.connectors.map(tick))}.${where}`;
}

function sayFreshness(thing: Thing): string {
  const by = joinWords(thing.connectors.map(tick));
  return `What the catalog shows of ${named(thing)} last changed at ${minute(thing.updatedAt)}, as ${by} synced it. When its data last changed is not in the catalog.`;
}

function sayList(what: string, of: (thing: Thing) => readonly string[]): Teller {
  return (thing) =>
    of(thing).length === 0
      ? `${named(thing)} has no ${what}.`
      : `The ${what} of ${named(thing)}: ${joinWords(of(thing).map(tick))}.`;
}

const sayEverything: Teller = async (thing, lookup) => {
  const { definition, description, certification, type } = thing;
  const columns = type === "table" || type === "model" ? await lookup.columns([thing.id]) : null;
  const all = [
    sayWhat(thing),
    description === "" ? "It has no description." : `It is described as: ${quote(description)}.`,
    definition && `It is computed as ${tick(definition.expression)}.`,
    await sayOwner(thing, lookup),
    certification !== "none" && sayCertification(thing),
    columns && `It has ${count(columns.length, "column")}.`,
    await sayAround(thing, lookup),
  ];
  return all.filter(Boolean).join(" ");
};

function sayType(thing: Thing): string {
  const isKnown = thing.type === "column" && thing.dataType !== "";
  return isKnown ? `${named(thing)} is of type ${tick(thing.dataType)}.` : sayWhat(thing);
}

const TELLERS: Readonly<Record<Aspect, Teller>> = {
  everything: sayEverything,
  owner: sayOwner,
  description: sayDescription,
  definition: sayDefinition,
  certification: sayCertification,
  trail: sayTrail,
  columns: sayColumns,
  checks: sayChecks,
  place: sayPlace,
  freshness: sayFreshness,
  tags: sayList("tags", ({ tags }) => tags),
  dimensions: sayList("dimensions", ({ definition }) => definition?.dimensions ?? []),
  filters: sayList("filters", ({ definition }) => definition?.filters ?? []),
  grain: sayList("grain", ({ definition }) => (definition?.grain ? [definition.grain] : [])),
  "data type": sayType,
  materialization: sayMaterialization,
  kind: sayWhat,
  "sources and uses": sayAround,
};
