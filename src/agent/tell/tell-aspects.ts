/** What is told of one asset, or of each of a few: its owner, definition, columns, certification and so on. */
import { fold } from "../../catalog/text.ts";
import type { Fact } from "../answer.ts";
import { dayOf, kindsOf, type Thing, valuesIn, type Way } from "../catalog.ts";
import type { Lookup } from "../lookup.ts";
import type { Aspect, PlanOf } from "../plan.ts";
import { sayThere, tellGroups, type Tools } from "./tell-sets.ts";
import { count, inTypeOrder, joinWords, list, listSome, minute, named, plain, quote, say, sayAll } from "./words.ts";
import { MAX_SNIPPET, sayOwnerOf, tick } from "./words.ts";

const MAX_SHARED = 5;
const MAX_DESCRIPTION = 500;
const MAX_SUBJECTS = 5;
const MAX_STEPS = 6;
const MAX_CHECKS = 12;
/** Columns that are named with their types; more are only named. */
const MAX_TYPED = 60;

type Teller = (thing: Thing, lookup: Lookup) => Promise<Fact> | Fact;

export async function tellAspect({ find, aspect }: PlanOf<"aspect">, tools: Tools): Promise<Fact[]> {
  const { lookup, finder } = tools;
  const found = await finder.find(find);
  // What is named, and not in what the question is narrowed to, was not understood.
  if (found.total === 0) return find.ids === undefined ? [sayThere(found, find, tools)] : [];
  const isNamed = find.ids !== undefined || find.where?.is === "name";
  if (aspect === "owner" && (!isNamed || found.total > MAX_SUBJECTS))
    return tellGroups({ tell: "groups", find, by: "owner" }, tools);
  const sorted = inTypeOrder(found.things);
  const [shown, left] = [sorted.slice(0, MAX_SUBJECTS), sorted.slice(MAX_SUBJECTS)];
  const facts = await Promise.all(shown.map(async (thing) => TELLERS[aspect](thing, lookup)));
  if (aspect === "checks" && shown.length > 1 && left.length === 0) {
    const checks = await lookup.checks(shown);
    const amount = checks.values().reduce((sum, { total }) => sum + total, 0);
    facts.push(say`Together they have ${count(amount, "check")}.`);
  }
  return left.length === 0 ? facts : [...facts, say`Not told here: ${list(left, found.total - shown.length)}.`];
}

/** How two assets compare: in all, or in one aspect. */
export async function tellComparison({ find, aspect }: PlanOf<"comparison">, tools: Tools): Promise<Fact[]> {
  const [a, b] = (await tools.finder.find(find)).things;
  if (a === undefined || b === undefined) return [];
  if (aspect === "columns") return tellColumnsApart(a, b, tools.lookup);
  const aspects: Aspect[] = a.definition === null ? ["everything"] : ["definition", "owner"];
  const told = (aspect === undefined ? aspects : [aspect]).map((each) =>
    tellAspect({ tell: "aspect", find: { ids: [a.id, b.id] }, aspect: each }, tools),
  );
  const facts = (await Promise.all(told)).flat();
  if (aspect === undefined)
    return [...facts, ...(await tellColumnsApart(a, b, tools.lookup)), await tellShared(a, b, tools.lookup)];
  const [one, two] = [a, b].map((thing, i) => facts[i]?.text.replaceAll(named(thing), ""));
  return [say`The ${aspect} is ${one === two ? "the same" : "different"}.`, ...facts];
}

async function tellShared(a: Thing, b: Thing, lookup: Lookup): Promise<Fact> {
  const [own, others] = await Promise.all([lookup.walk(a.id, "upstream"), lookup.walk(b.id, "upstream")]);
  const ids = new Set(own.nodes.map(({ id }) => id)).intersection(new Set(others.nodes.map(({ id }) => id)));
  if (ids.size === 0) return say`${a} and ${b} have no source in common.`;
  const some = await lookup.load([...ids].slice(0, MAX_SHARED));
  return say`Both come from ${count(ids.size, "common source")}: ${list(some, ids.size)}.`;
}

/** Which columns only one of two relations has. */
async function tellColumnsApart(a: Thing, b: Thing, lookup: Lookup): Promise<Fact[]> {
  const [own, others] = await Promise.all([lookup.columns([a]), lookup.columns([b])]);
  if (own.length === 0 || others.length === 0) return [];
  const facts = [[a, own, others] as const, [b, others, own] as const].flatMap(([of, some, rest]) => {
    const names = new Set(rest.map(({ name }) => fold(name)));
    const apart = some.filter(({ name }) => !names.has(fold(name)));
    const noun = apart.length === 1 ? "column" : count(apart.length, "column");
    return apart.length === 0 ? [] : [say`Only ${of} has the ${noun} ${list(apart)}.`];
  });
  return facts.length === 0 ? [say`Both have the same columns.`] : facts;
}

async function nearOf({ id }: Thing, way: Way, lookup: Lookup): Promise<Thing[]> {
  const { nodes } = await lookup.walk(id, way, 1);
  return inTypeOrder(await lookup.load(nodes.map((node) => node.id)));
}

function sayDescription(thing: Thing): Fact {
  const { description } = thing;
  return say`${thing} ${description === "" ? "has no description" : `is described as: ${quote(description, MAX_DESCRIPTION)}`}.`;
}

function sayWhat(thing: Thing): Fact {
  const { name, displayName, certification, dataType } = thing;
  const kinds = kindsOf(thing).filter((kind) => kind !== "model");
  const noun = kinds.length > 0 ? `${thing.type} (dbt ${joinWords(kinds)})` : thing.type;
  const what = certification === "none" ? noun : `${certification} ${noun}`;
  const shown = displayName !== "" && displayName !== name ? ` (${quote(displayName)})` : "";
  const type = dataType === "" ? "" : ` of type ${tick(dataType)}`;
  return say`${thing}${shown} is ${/^[aeiou]/.test(what) ? "an" : "a"} ${what}${type}, ${tick(thing.fqn)}.`;
}

function sayMaterialization(thing: Thing): Fact {
  const { materialization } = thing;
  if (materialization === "") return say`The materialization of ${thing} is not known.`;
  return say`${thing} is materialized as ${tick(materialization)}.`;
}

function sayCertification(thing: Thing): Fact {
  const { certification, certifiedBy, certifiedAt } = thing;
  const by = certifiedBy === null ? "" : ` by ${plain(certifiedBy)}`;
  const at = certifiedAt === null ? "" : ` on ${dayOf(certifiedAt)}`;
  const said = {
    certified: `certified${by}${at}`,
    pending: "not certified: its certification is pending",
    deprecated: "deprecated",
    none: "not certified: nobody has said anything of its certification",
  }[certification];
  return say`${thing} is ${said}.`;
}

/** Columns to which no values go, but which a column decides by a join or a filter, and the other way round. */
async function sayDecided({ id }: Thing, direct: readonly Thing[], lookup: Lookup): Promise<Fact> {
  const known = new Set(direct.map((thing) => thing.id));
  const facts = (["upstream", "downstream"] as const).map(async (way) => {
    const lead = way === "upstream" ? "its rows depend on" : "it decides the rows or values of";
    const others = (await lookup.walk(id, way, 1, "all")).nodes.filter((node) => !known.has(node.id));
    return others.length === 0 ? [] : [say`${lead} ${list(await lookup.load(others.map((node) => node.id)))}`];
  });
  const told = (await Promise.all(facts)).flat();
  return told.length === 0 ? say`` : say` By joins, filters and conditions, ${sayAll(told)}.`;
}

function sayValues(field: "tags" | "dimensions" | "filters" | "grain"): Teller {
  return (thing) => {
    const values = valuesIn(field, thing);
    if (values.length === 0) return say`${thing} has no ${field}.`;
    return say`The ${field} of ${thing}: ${joinWords(values.map(tick))}.`;
  };
}

const TELLERS: Readonly<Record<Aspect, Teller>> = {
  async everything(thing, lookup) {
    const { definition, description, certification, type } = thing;
    const columns = type === "table" || type === "model" ? await lookup.columns([thing]) : null;
    const facts = [
      sayWhat(thing),
      description === "" ? say`It has no description.` : say`It is described as: ${quote(description)}.`,
      ...(definition === null ? [] : [say`It is computed as ${tick(definition.expression)}.`]),
      await TELLERS.owner(thing, lookup),
      ...(certification === "none" ? [] : [sayCertification(thing)]),
      ...(columns === null ? [] : [say`It has ${count(columns.length, "column")}.`]),
      await TELLERS["sources and uses"](thing, lookup),
    ];
    return sayAll(facts, (texts) => texts.join(" "));
  },
  async owner(thing, lookup) {
    const [parent = thing] = thing.parentId === null ? [] : await lookup.load([thing.parentId]);
    const owning = sayOwnerOf(thing) === null ? parent : thing;
    const owner = sayOwnerOf(owning);
    if (owner === null) return say`${thing} has no owner.`;
    const name = owning.owner !== "" && plain(owning.ownerName) !== "" ? ` (${quote(owning.ownerName)})` : "";
    return say`${thing} is owned by ${owner}${name}${owning === thing ? "" : say`, through ${owning}`}.`;
  },
  description: sayDescription,
  async definition(thing, lookup) {
    const { definition, description, materialization } = thing;
    const up = await nearOf(thing, "upstream", lookup);
    const from = up.length === 0 ? "" : say` It is made from ${list(up)}.`;
    const about = say`${description === "" ? "" : say` ${sayDescription(thing)}`}${from}`;
    if (definition === null) return say`${materialization === "" ? sayWhat(thing) : sayMaterialization(thing)}${about}`;
    const grain = definition.grain === "" ? "" : ` by ${tick(definition.grain)}`;
    const filters = definition.filters.length === 0 ? "" : `, only where ${definition.filters.map(tick).join(" and ")}`;
    return say`${thing} is computed as ${tick(definition.expression)}${grain}${filters}.${about}`;
  },
  async sql(thing, lookup) {
    if (thing.definition !== null) return TELLERS.definition(thing, lookup);
    const sql = await lookup.sql(thing.id);
    if (sql === null) return say`The catalog holds no SQL of ${thing}. ${await TELLERS.definition(thing, lookup)}`;
    return say`The SQL of ${thing}, in one line${sql.length > MAX_SNIPPET ? ", of which this is the beginning" : ""}: ${tick(sql)}.`;
  },
  certification: sayCertification,
  async trail(thing, lookup) {
    const steps = thing.type === "metric" ? await lookup.trail(thing.id) : [];
    const told = steps.slice(-MAX_STEPS).map(({ at, action, actor, note }) => {
      return `${dayOf(at)}: ${action} by ${plain(actor)}${note === null ? "" : `, ${quote(note)}`}`;
    });
    const trail = told.length === 0 ? "" : ` Its trail: ${told.join("; ")}.`;
    const isExplained = thing.certification === "certified" || thing.description === "";
    return say`${sayCertification(thing)}${trail}${isExplained ? "" : say` ${sayDescription(thing)}`}`;
  },
  async columns(thing, lookup) {
    const columns = await lookup.columns([thing]);
    if (columns.length === 0) return say`No columns of ${thing} are known.`;
    const isTyped = columns.length <= MAX_TYPED;
    const told = columns.map(({ name, dataType: type }) => tick(name) + (isTyped && type ? ` (${plain(type)})` : ""));
    return say`${thing} has ${count(columns.length, "column")}: ${joinWords(told)}.`;
  },
  async checks(thing, lookup) {
    const { total, seen } = (await lookup.checks([thing])).get(thing.id) ?? { total: 0, seen: [] };
    if (total === 0) return say`${thing} has no checks.`;
    const told = seen.slice(0, MAX_CHECKS).map(({ name, status }) => `${tick(name)} (${status})`);
    return say`${thing} has ${count(total, "check")}: ${listSome(told, total)}.`;
  },
  place(thing) {
    const place = thing.fqn.split(".").slice(0, -1).join(".");
    const within = place === "" ? "" : `, in ${tick(place)}`;
    const where = thing.url === null ? "" : ` Its own tool shows it at ${plain(thing.url)}.`;
    return say`${thing} is ${tick(thing.fqn)}${within}, known from ${joinWords(thing.connectors.map(tick))}.${where}`;
  },
  freshness(thing) {
    const by = joinWords(thing.connectors.map(tick));
    return say`What the catalog shows of ${thing} last changed at ${minute(thing.updatedAt)}, as ${by} synced it. When its data last changed is not in the catalog.`;
  },
  tags: sayValues("tags"),
  dimensions: sayValues("dimensions"),
  filters: sayValues("filters"),
  grain: sayValues("grain"),
  "data type": sayWhat,
  materialization: sayMaterialization,
  kind: sayWhat,
  async "sources and uses"(thing, lookup) {
    const [from, to] = await Promise.all([nearOf(thing, "upstream", lookup), nearOf(thing, "downstream", lookup)]);
    const [made, used] = [from, to].map((some) => (some.length === 0 ? "nothing" : list(some))) as [Fact, Fact];
    const decided = thing.type === "column" ? await sayDecided(thing, [...from, ...to], lookup) : "";
    return say`${thing} is made from ${made}, and used by ${used}.${decided}`;
  },
};
