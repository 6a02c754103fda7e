/** What is told of one asset, or of each of a few: its owner, definition, columns, certification and so on. */
import type { Fact } from "../answer.ts";
import type { Thing } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import type { Aspect, Plan } from "../plan.ts";
import { kindsOf } from "../run/is-met.ts";
import { sayThings } from "./read-as.ts";
import type { Tools } from "./tell-sets.ts";
import { tellGroups } from "./tell-groups.ts";
import {
  article,
  cite,
  citeAll,
  count,
  day,
  inTypeOrder,
  joinWords,
  listNames,
  minute,
  named,
  plain,
  profile,
  quote,
  sayOwnerOf,
  tick,
  say,
} from "./words.ts";

const MAX_SUBJECTS = 5;
/** What a text may find, to be what it describes. */
const MAX_MEANT = 3;
const MAX_FORMULA = 1_000;
const MAX_STEPS = 6;
const MAX_CHECKS = 12;
/** Columns that are named with their types; more are only named. */
const MAX_TYPED = 60;

type Teller = (thing: Thing, lookup: Lookup) => Promise<string> | string;

export async function tellAspect(plan: Extract<Plan, { tell: "aspect" }>, tools: Tools): Promise<Fact[]> {
  const { lookup, finder, names } = tools;
  const { find, aspect } = plan;
  const found = await finder.find(find);
  const isNamed = find.ids !== undefined || find.where?.is === "name" || find.where?.is === "text";
  // What is looked for by its text, and not there, was not understood.
  if (found.things.length === 0 && find.ids !== undefined) return [];
  const isText = JSON.stringify(find).includes('"is":"text"');
  if (isText && (found.things.length === 0 || found.things.length > MAX_MEANT)) return [];
  if (found.things.length === 0) return [say(`There are no ${sayThings(find, names)}.`)];
  if (aspect === "owner" && (!isNamed || found.things.length > MAX_SUBJECTS))
    return tellGroups({ tell: "groups", find, by: "owner" }, tools);
  const shown = inTypeOrder(found.things).slice(0, MAX_SUBJECTS);
  const facts = await Promise.all(
    shown.map(async (thing): Promise<Fact> => say(await TELLERS[aspect](thing, lookup), [cite(thing, profile(thing))])),
  );
  const more = await citedBeside(aspect, shown, lookup);
  const left = inTypeOrder(found.things).slice(MAX_SUBJECTS);
  const sum = aspect === "checks" && shown.length > 1 && left.length === 0 ? await sumOfChecks(shown, lookup) : null;
  return [
    ...facts,
    ...(sum === null ? [] : [say(`Together they have ${count(sum, "check")}.`)]),
    ...(more.length > 0 ? [say("", citeAll(more))] : []),
    ...(left.length > 0 ? [say(`Not told here: ${listNames(left, found.total - shown.length)}.`, citeAll(left))] : []),
  ];
}

async function sumOfChecks(things: readonly Thing[], lookup: Lookup): Promise<number> {
  const checks = await lookup.checks(things.map(({ id }) => id));
  return checks.values().reduce((sum, { total }) => sum + total, 0);
}

/** What an answer names besides its subject. */
async function citedBeside(aspect: Aspect, things: readonly Thing[], lookup: Lookup): Promise<Thing[]> {
  if (aspect !== "definition" && aspect !== "sources and uses") return [];
  const near = await Promise.all(things.map(({ id }) => nearOf(id, lookup)));
  return near.flatMap(({ up, down }) => (aspect === "definition" ? up : up.concat(down)));
}

async function nearOf(id: string, lookup: Lookup): Promise<{ up: Thing[]; down: Thing[] }> {
  const [up, down] = await Promise.all((["upstream", "downstream"] as const).map((way) => lookup.walk(id, way, 1)));
  const load = (walk: typeof up): Promise<Thing[]> => lookup.load((walk?.nodes ?? []).map((node) => node.id));
  return { up: await load(up), down: await load(down) };
}

async function sayOwner(thing: Thing, lookup: Lookup): Promise<string> {
  const [parent] = thing.parentId === null ? [] : await lookup.load([thing.parentId]);
  const owning = sayOwnerOf(thing) === null ? (parent ?? thing) : thing;
  const owner = sayOwnerOf(owning);
  if (owner === null) return `${named(thing)} has no owner.`;
  const name = owning.owner !== "" && plain(owning.ownerName) !== "" ? ` (${quote(owning.ownerName)})` : "";
  return `${named(thing)} is owned by ${owner}${name}${owning === thing ? "" : `, through ${named(owning)}`}.`;
}

function sayDescription(thing: Thing): string {
  return thing.description === ""
    ? `${named(thing)} has no description.`
    : `${named(thing)} is described as: ${quote(thing.description, 500)}.`;
}

function sayWhat(thing: Thing): string {
  const kinds = kindsOf(thing).filter((kind) => kind !== "model");
  const words = [
    ...(thing.certification === "none" ? [] : [thing.certification]),
    kinds.length > 0 ? `${thing.type} (dbt ${joinWords(kinds)})` : thing.type,
  ];
  const shown = thing.displayName !== "" && thing.displayName !== thing.name ? ` (${quote(thing.displayName)})` : "";
  const type = thing.dataType === "" ? "" : ` of type ${tick(thing.dataType)}`;
  return `${named(thing)}${shown} is ${article(words[0] ?? "")} ${words.join(" ")}${type}, ${tick(thing.fqn)}.`;
}

async function sayDefinition(thing: Thing, lookup: Lookup): Promise<string> {
  const { definition } = thing;
  const { up } = await nearOf(thing.id, lookup);
  const from = up.length === 0 ? "" : ` It is made from ${listNames(inTypeOrder(up))}.`;
  const described = thing.description === "" ? "" : ` ${sayDescription(thing)}`;
  if (definition === null)
    return `${thing.materialization === "" ? sayWhat(thing) : `${named(thing)} is materialized as ${tick(thing.materialization)}.`}${described}${from}`;
  const grain = definition.grain === "" ? "" : ` by ${tick(definition.grain)}`;
  const filters =
    definition.filters.length === 0 ? "" : `, only where ${definition.filters.map((it) => tick(it)).join(" and ")}`;
  return `${named(thing)} is computed as ${tick(definition.expression, MAX_FORMULA)}${grain}${filters}.${described}${from}`;
}

function sayCertification(thing: Thing): string {
  const by = thing.certifiedBy === null ? "" : ` by ${plain(thing.certifiedBy)}`;
  const at = thing.certifiedAt === null ? "" : ` on ${day(thing.certifiedAt)}`;
  return {
    certified: `${named(thing)} is certified${by}${at}.`,
    pending: `${named(thing)} is not certified: its certification is pending.`,
    deprecated: `${named(thing)} is deprecated.`,
    none: `${named(thing)} is not certified: nobody has said anything of its certification.`,
  }[thing.certification];
}

async function sayTrail(thing: Thing, lookup: Lookup): Promise<string> {
  const steps = thing.type === "metric" ? await lookup.trail(thing.id) : [];
  const said = steps
    .slice(-MAX_STEPS)
    .map(
      ({ at, action, actor, note }) =>
        `${day(at)}: ${action} by ${plain(actor)}${note === "" ? "" : `, ${quote(note)}`}`,
    );
  const described = thing.certification === "certified" || thing.description === "" ? "" : ` ${sayDescription(thing)}`;
  return `${sayCertification(thing)}${said.length === 0 ? "" : ` Its trail: ${said.join("; ")}.`}${described}`;
}

async function sayColumns(thing: Thing, lookup: Lookup): Promise<string> {
  const columns = await lookup.columns([thing.id]);
  if (columns.length === 0) return `No columns of ${named(thing)} are known.`;
  const told =
    columns.length > MAX_TYPED
      ? columns.map(({ name }) => tick(name))
      : columns.map(({ name, dataType }) => `${tick(name)}${dataType === "" ? "" : ` (${plain(dataType)})`}`);
  return `${named(thing)} has ${count(columns.length, "column")}: ${joinWords(told)}.`;
}

async function sayChecks(thing: Thing, lookup: Lookup): Promise<string> {
  const found = (await lookup.checks([thing.id])).get(thing.id);
  if (found === undefined || found.total === 0) return `${named(thing)} has no checks.`;
  const told = found.seen.slice(0, MAX_CHECKS).map(({ name, status }) => `${tick(name)} (${status})`);
  const left = found.total - told.length;
  return `${named(thing)} has ${count(found.total, "check")}: ${joinWords(left > 0 ? [...told, `${left} more`] : told)}.`;
}

async function sayAround(thing: Thing, lookup: Lookup): Promise<string> {
  const { up, down } = await nearOf(thing.id, lookup);
  const [from, to] = [up, down].map((things) => (things.length === 0 ? "nothing" : listNames(inTypeOrder(things))));
  const around = `${named(thing)} is made from ${from}, and used by ${to}.`;
  return thing.type === "column" ? `${around}${await sayDecided(thing, [...up, ...down], lookup)}` : around;
}

/** Columns to which no values go, but which a column decides by a join or a filter, and the other way round. */
async function sayDecided({ id }: Thing, direct: readonly Thing[], lookup: Lookup): Promise<string> {
  const known = new Set(direct.map((thing) => thing.id));
  const [up, down] = await Promise.all(
    (["upstream", "downstream"] as const).map(async (way) => {
      const ids = (await lookup.walkAllUses(id, way)).nodes.map((node) => node.id).filter((each) => !known.has(each));
      return lookup.load(ids);
    }),
  );
  const said = [
    ...(up === undefined || up.length === 0 ? [] : [`its rows depend on ${listNames(up)}`]),
    ...(down === undefined || down.length === 0 ? [] : [`it decides the rows or values of ${listNames(down)}`]),
  ];
  return said.length === 0 ? "" : ` By joins, filters and conditions, ${joinWords(said)}.`;
}

function sayPlace(thing: Thing): string {
  const place = thing.fqn.split(".").slice(0, -1).join(".");
  const where = thing.url === null ? "" : ` Its own tool shows it at ${plain(thing.url)}.`;
  return `${named(thing)} is ${tick(thing.fqn)}${place === "" ? "" : `, in ${tick(place)}`}, known from ${joinWords(thing.connectors.map((each) => tick(each)))}.${where}`;
}

function sayList(what: string, of: (thing: Thing) => readonly string[]): Teller {
  return (thing) =>
    of(thing).length === 0
      ? `${named(thing)} has no ${what}.`
      : `The ${what} of ${named(thing)}: ${joinWords(of(thing).map((each) => tick(each)))}.`;
}

const TELLERS: Readonly<Record<Aspect, Teller>> = {
  owner: sayOwner,
  description: sayDescription,
  definition: sayDefinition,
  certification: sayCertification,
  trail: sayTrail,
  columns: sayColumns,
  checks: sayChecks,
  place: sayPlace,
  freshness: (thing) =>
    `What the catalog shows of ${named(thing)} last changed at ${minute(thing.updatedAt)}, as ${joinWords(thing.connectors.map((each) => tick(each)))} synced it. When its data last changed is not in the catalog.`,
  tags: sayList("tags", ({ tags }) => tags),
  dimensions: sayList("dimensions", ({ definition }) => definition?.dimensions ?? []),
  filters: sayList("filters", ({ definition }) => definition?.filters ?? []),
  grain: (thing) =>
    thing.definition?.grain
      ? `The grain of ${named(thing)} is ${tick(thing.definition.grain)}.`
      : `${named(thing)} has no known grain.`,
  "data type": (thing) =>
    thing.type === "column"
      ? thing.dataType === ""
        ? `The data type of ${named(thing)} is not known.`
        : `${named(thing)} is of type ${tick(thing.dataType)}.`
      : sayWhat(thing),
  materialization: (thing) =>
    thing.materialization === ""
      ? `The materialization of ${named(thing)} is not known.`
      : `${named(thing)} is materialized as ${tick(thing.materialization)}.`,
  kind: sayWhat,
  "sources and uses": sayAround,
  async everything(thing, lookup) {
    const formula =
      thing.definition === null ? "" : ` It is computed as ${tick(thing.definition.expression, MAX_FORMULA)}.`;
    const described =
      thing.description === "" ? "It has no description." : `It is described as: ${quote(thing.description)}.`;
    const certified = thing.certification === "none" ? "" : ` ${sayCertification(thing)}`;
    const columns =
      thing.type === "table" || thing.type === "model"
        ? ` It has ${count((await lookup.columns([thing.id])).length, "column")}.`
        : "";
    return `${sayWhat(thing)} ${described}${formula} ${await sayOwner(thing, lookup)}${certified}${columns} ${await sayAround(thing, lookup)}`;
  },
};
