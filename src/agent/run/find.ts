/** Finds the members of a set: by the narrowest look-up that its conditions allow, then by what is known of each. */
import { isDataset, type NodeType } from "../../catalog/node-types.ts";
import { addDoubts, ALL_TYPES, type Doubts, doubtsOf, idsOf, inverse } from "../catalog.ts";
import { isColumn, isReport, NAMED_TYPES, type Thing } from "../catalog.ts";
import { CannotTell, type Filter, FILTERS, type Lookup } from "../lookup.ts";
import { type Along, type Condition, type Feature, type Measure, partsOf, type Things } from "../plan.ts";
import { joinWords, named, tick } from "../tell/words.ts";
import { isCheckMeant, isMet, measure } from "./conditions.ts";

/** Members of a set that are looked at one by one. */
const MAX_LOOKED_AT = 2_000;
/** Members of a set, or their columns, from each of which lineage is walked. */
const MAX_ROOTS = 150;
const MAX_SEARCHED = 100;
/** Things from each of which a set is looked for, instead of from the set. */
const MAX_WALKED_BACK = 8;
const TOO_MANY = "That is about more assets than one question may look at. Ask about fewer at once.";

const NO_COLUMNS =
  "The catalog knows which columns feed a column or a metric. Of what else uses them it knows the tables.";

const NO_DOUBTS: Doubts = { isExact: true, isComplete: true };

export interface Found extends Doubts {
  things: readonly Thing[];
  /** How many there are: exactly, if `isExact`, else at least. */
  total: number;
}

type Narrowed = Doubts & { ids: ReadonlySet<string> };
type Types = readonly NodeType[] | undefined;

/** A condition that leads to its members by itself, without a list of all there is. */
type Narrow = Condition & { is: "along" | "affected" | "name" | "text" };

export type Finder = ReturnType<typeof createFinder>;

/** @param allows what the question may be about; null for everything */
export function createFinder(lookup: Lookup, allows: ((thing: Thing) => boolean) | null = null) {
  const narrowed = new Map<string, Promise<Narrowed>>();

  /** The members that the question may be about. */
  async function findAllowed(set: Things): Promise<Found> {
    const found = await find(set);
    if (allows === null) return found;
    const things = found.things.filter(allows);
    return { ...found, things, total: things.length, isExact: found.isExact && found.things.length >= found.total };
  }

  async function find(set: Things): Promise<Found> {
    const conditions = partsOf(set.where);
    const { filter, rest } = toFilter(set, conditions);
    const narrows = set.ids === undefined ? conditions.filter(isNarrow) : [];
    // The columns of a few tables are fewer than all that have a name.
    const ofColumns = narrows.find((each) => each.is === "along" && each.along.way === "columns" && each.along.of.ids);
    const first = ofColumns ?? narrows[0];
    const doubts = { ...NO_DOUBTS };
    const ids = set.ids ?? (first && [...addDoubts(doubts, await narrow(first, set.types)).ids]);
    const { items, total } =
      ids === undefined
        ? await lookup.list(filter, MAX_LOOKED_AT)
        : { items: await lookup.load(ids.slice(0, MAX_LOOKED_AT)), total: ids.length };
    // The store counts those that it has not listed.
    if (ids === undefined && rest.length === 0) return { things: items, total, ...doubts };
    if (items.length < total) doubts.isExact = false;
    const left = conditions.filter((condition) => condition !== first);
    const things = await meet({ is: "all", of: left }, items.filter(hasType(set.types)), doubts);
    return { things, total: things.length, ...doubts };
  }

  /** The ids of all that meet a condition which names what it is about. */
  function narrow(condition: Narrow, types: Types): Promise<Narrowed> {
    return narrowed.getOrInsertComputed(JSON.stringify([condition, types ?? null]), async () => {
      if (condition.is === "along") return goAlong(condition.along, types);
      if (condition.is === "affected") {
        const { things, isExact } = await find(condition.by);
        const roots = things.slice(0, MAX_ROOTS);
        const impacts = await Promise.all(roots.map((thing) => lookup.impact(thing, condition.change)));
        const known = impacts.filter((impact) => impact !== null);
        const doubts = { isExact: isExact && roots.length === things.length, isComplete: true };
        for (const impact of known) addDoubts(doubts, doubtsOf(impact));
        return { ids: idsOf(known.flatMap(({ affected }) => affected)), ...doubts };
      }
      const [texts, all] = condition.is === "text" ? [[condition.words], NAMED_TYPES] : [condition.any, ALL_TYPES];
      const found = await Promise.all(texts.map((text) => lookup.search(text, types ?? all, MAX_SEARCHED)));
      const isExact = found.every(({ length }) => length < MAX_SEARCHED);
      // A search finds what is near as well.
      return { ids: idsOf(found.flat().filter((thing) => isMet(condition, thing))), isExact, isComplete: true };
    });
  }

  /** @throws CannotTell if the set is a column that its table has not: nothing that is told of it would say so */
  async function findRoots(set: Things): Promise<Found> {
    const found = await find(set);
    if (found.things.length > 0 || set.types?.join() !== "column") return found;
    const [name, table] = partsOf(set.where);
    if (name?.is !== "name" || table?.is !== "along" || table.along.of.ids === undefined) return found;
    const [of] = await lookup.load(table.along.of.ids);
    const called = joinWords(name.any.map(tick), "or");
    throw of === undefined ? new CannotTell(TOO_MANY) : new CannotTell(`${named(of)} has no column called ${called}.`);
  }

  async function goAlong({ way, of, depth }: Along, types: Types): Promise<Narrowed> {
    const { things, isExact, isComplete } = await findRoots(of);
    const doubts: Doubts = { isExact, isComplete };
    if (way === "parents") return { ids: new Set(things.flatMap(({ parentId }) => parentId ?? [])), ...doubts };
    if (way === "columns") return { ids: idsOf(await lookup.columns(things)), ...doubts };
    const isMixed = types?.join() === "column" && !things.every(isColumn);
    const read = isMixed ? await loadRead(things, way) : [];
    const starts = isMixed ? [...things.filter(isColumn), ...(await lookup.columns(things)), ...read] : things;
    const roots = starts.slice(0, MAX_ROOTS);
    doubts.isExact &&= roots.length === starts.length;
    // Who reads a column may only filter or join by it.
    const isRead = depth === 1 && way === "downstream" && types?.some(isDataset);
    const uses = (root: Thing) => (isRead && isColumn(root) ? "all" : "direct");
    const walks = await Promise.all(roots.map((root) => lookup.walk(root.id, way, depth, uses(root))));
    const reached = walks.flatMap((walk) => addDoubts(doubts, walk).nodes);
    const ids = idsOf([...read, ...reached].filter(hasType(types)));
    // A column's lineage is of columns: who asks for tables means theirs.
    const columns = types?.some(isDataset) ? idsOf(reached.filter(isColumn)) : [];
    for (const { parentId } of await lookup.load([...columns])) if (parentId !== null) ids.add(parentId);
    // No lineage leads from a column to what reads its table; an impact does.
    const wantsReports = types?.every((type) => !isReport(type)) !== true;
    if (way === "downstream" && roots.some(isColumn) && wantsReports) {
      const affected = await narrow({ is: "affected", by: of, change: "column_drop" }, types);
      if (!affected.isExact) doubts.isExact = false;
      for (const { id, type } of await lookup.load([...affected.ids])) if (isReport(type)) ids.add(id);
    }
    return { ids, ...doubts };
  }

  /** The columns from which the metrics among the things are computed. */
  async function loadRead(things: readonly Thing[], way: string): Promise<Thing[]> {
    const reports = things.filter(({ type }) => isReport(type));
    if (reports.some(({ type }) => type !== "metric" || way !== "upstream")) throw new CannotTell(NO_COLUMNS);
    const ids = await Promise.all(reports.map(({ id }) => lookup.sourceColumns(id)));
    return lookup.load(ids.flat());
  }

  /**
   * Those of the things that lie along a set: walked from the things themselves, which is exact however large the set is.
   * Null where that cannot be, or where they reach too much.
   */
  async function walkBack({ way, of, depth }: Along, things: readonly Thing[], doubts: Doubts) {
    if ((way !== "upstream" && way !== "downstream") || of.ids !== undefined) return null;
    if (things.some(isColumn) !== (of.types?.join() === "column")) return null;
    const walks = await Promise.all(things.map(({ id }) => lookup.walk(id, inverse(way), depth)));
    const reached = walks.map(({ nodes }) => nodes.filter(hasType(of.types)).map(({ id }) => id));
    const all = [...new Set(reached.flat())];
    if (all.length > MAX_LOOKED_AT) return null;
    const met = idsOf(await meet({ is: "all", of: partsOf(of.where) }, await lookup.load(all), doubts));
    for (const walk of walks) addDoubts(doubts, walk);
    return things.filter((_, i) => reached[i]?.some((id) => met.has(id)));
  }

  /** Those of the things that meet a condition; what is not sure of them is added to the doubts. */
  async function meet(condition: Condition, things: readonly Thing[], doubts: Doubts): Promise<readonly Thing[]> {
    if (things.length === 0) return things;
    switch (condition.is) {
      case "all": {
        let left = things;
        for (const each of condition.of) left = await meet(each, left, doubts);
        return left;
      }
      case "any": {
        const met = await Promise.all(condition.of.map((each) => meet(each, things, doubts)));
        const some = new Set(met.flat());
        return things.filter((thing) => some.has(thing));
      }
      case "not": {
        const own = { ...NO_DOUBTS };
        const met = new Set(await meet(condition.of, things, own));
        // Only some of the items that meet the condition are known, so the rest would wrongly be reported as complete.
        if (!addDoubts(doubts, own).isExact) throw new CannotTell(TOO_MANY);
        return things.filter((thing) => !met.has(thing));
      }
      case "has":
      case "measure": {
        const isHad = condition.is === "has";
        const { least = 0, most = Infinity } = isHad ? { least: 1 } : condition;
        const { amountOf, isExact } = await count(isHad ? { of: condition.feature } : condition, things);
        if (!isExact && most !== Infinity) throw new CannotTell(TOO_MANY);
        doubts.isExact &&= isExact;
        return things.filter((thing) => amountOf(thing) >= least && amountOf(thing) <= most);
      }
      case "checked by": {
        const checks = await lookup.checks(things);
        if (checks.values().some(({ total, seen }) => seen.length < total)) doubts.isExact = false;
        return things.filter((thing) => checks.get(thing.id)?.seen.some((check) => isCheckMeant(check, condition.any)));
      }
      case "along":
      case "affected": {
        const types = [...new Set(things.map(({ type }) => type))];
        const found = things.length <= MAX_WALKED_BACK ? null : await narrow(condition, types);
        // From few things, and where the set is too large to be walked from.
        const walksBack = condition.is === "along" && found?.isExact !== true && things.length <= MAX_ROOTS;
        const back = walksBack ? await walkBack(condition.along, things, doubts) : null;
        if (back !== null) return back;
        const { ids } = addDoubts(doubts, await narrow(condition, types));
        return things.filter(({ id }) => ids.has(id));
      }
      default:
        return things.filter((thing) => isMet(condition, thing));
    }
  }

  /** How much each of the things has of something. */
  async function count({ of, among }: { of: Measure | Feature; among?: Things | undefined }, things: readonly Thing[]) {
    if (among === undefined) return measure(of, things, lookup, null);
    const counted = await find(among);
    const ids = idsOf(counted.things);
    const { amountOf, isExact } = await measure(of, things, lookup, (id) => ids.has(id));
    return { amountOf, isExact: isExact && counted.isExact && counted.things.length >= counted.total };
  }

  return {
    /** The members; but that there are none is only said if it is sure. */
    async find(set: Things): Promise<Found> {
      const found = await findAllowed(set);
      if (found.things.length === 0 && !found.isExact) throw new CannotTell(TOO_MANY);
      return found;
    },
    /** All members, for what is told of the whole set. */
    async findAll(set: Things): Promise<Found> {
      const found = await findAllowed(set);
      if (!found.isExact || found.things.length < found.total) throw new CannotTell(TOO_MANY);
      return found;
    },
    /** The things that meet a condition, for a yes or a no. */
    async decide(condition: Condition, things: readonly Thing[]) {
      const doubts = { ...NO_DOUBTS };
      const met = await meet(condition, things, doubts);
      if (!doubts.isExact && met.length < things.length) throw new CannotTell(TOO_MANY);
      return { met, isComplete: doubts.isComplete };
    },
    count,
  };
}

function hasType(types: Types): (node: { type: NodeType }) => boolean {
  return ({ type }) => types?.includes(type) ?? true;
}

function isNarrow(condition: Condition): condition is Narrow {
  return ["along", "affected", "name", "text"].includes(condition.is);
}

/** What the store can filter by, and what is left to look at. */
function toFilter({ types }: Things, conditions: readonly Condition[]) {
  const filter: Filter = { types: types ?? NAMED_TYPES };
  const rest = conditions.filter((condition) => {
    const [value, ...others] = "any" in condition ? condition.any : [];
    const field = FILTERS.find((each) => each === condition.is);
    if (field === undefined || field in filter || value === undefined || others.length > 0) return true;
    if (field === "owner" && !value.includes("@")) return true;
    filter[field] = value;
    return false;
  });
  return { filter, rest };
}
