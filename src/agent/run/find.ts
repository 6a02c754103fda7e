/** Finds the members of a set: by the narrowest look-up that its conditions allow, then by what is known of each. */
import type { NodeType } from "../../catalog/node-types.ts";
import { fold } from "../../catalog/text.ts";
import { NAMED_TYPES, type Thing } from "../catalog.ts";
import { CannotTell, type Lookup } from "../lookup.ts";
import type { Along, Condition, Counted, Feature, Things } from "../plan.ts";
import { both, idsOf, isColumn, isNarrow, isReport, isOfColumns, isOfType, partsOf, toFilter } from "./conditions.ts";
import { isCheckMeant, isMet, saysAll } from "./is-met.ts";
import { columnsAlong } from "./columns-along.ts";
import type { Found, Narrowed } from "./found.ts";
import { measure } from "./measure.ts";

/** Members of a set that are looked at one by one. */
const MAX_LOOKED_AT = 2_000;
/** Members of a set from each of which lineage is walked. */
const MAX_ROOTS = 150;
const MAX_SEARCHED = 100;
/** Things from each of which a set is looked for, instead of from the set. */
const MAX_WALKED_BACK = 8;
const TOO_MANY = "That is about more assets than one question may look at. Ask about fewer at once.";

type CountedOrHad = Omit<Counted, "of"> & { of: Counted["of"] | Feature };

export type Finder = ReturnType<typeof createFinder>;

/** @param allows what the question may be about; null for everything */
export function createFinder(lookup: Lookup, allows: ((thing: Thing) => boolean) | null = null) {
  const walked = new Map<string, Promise<Narrowed>>();

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
    if (set.ids === undefined && rest.length === 0) {
      const { items, total } = await lookup.list(filter, MAX_LOOKED_AT);
      return { things: items, total, isExact: true, isComplete: true };
    }
    // The columns of a few tables are fewer than all that have a name.
    const narrowing = set.ids === undefined ? (conditions.find(isOfColumns) ?? conditions.find(isNarrow)) : undefined;
    const narrowed = narrowing === undefined ? null : await narrow(narrowing, set.types);
    const candidates =
      set.ids === undefined
        ? narrowed === null
          ? await lookup.list(filter, MAX_LOOKED_AT)
          : {
              items: await lookup.load([...(narrowed.ids ?? [])].slice(0, MAX_LOOKED_AT)),
              total: narrowed.ids?.size ?? 0,
            }
        : { items: await lookup.load(set.ids), total: set.ids.length };
    const ofType = candidates.items.filter(({ type }) => isOfType(type, set.types));
    const left = conditions.filter((condition) => condition !== narrowing);
    const met =
      left.length === 0 ? { ids: null, isExact: true, isComplete: true } : await meet({ is: "all", of: left }, ofType);
    const things = ofType.filter(({ id }) => met.ids?.has(id) ?? true);
    return {
      things,
      total: things.length,
      isExact: candidates.items.length >= candidates.total && met.isExact && (narrowed?.isExact ?? true),
      isComplete: met.isComplete && (narrowed?.isComplete ?? true),
    };
  }

  /** The ids of all that meet a condition which names what it is about. */
  function narrow(condition: Condition, types: readonly NodeType[] | undefined): Promise<Narrowed> {
    const key = JSON.stringify([condition, types ?? null]);
    return walked.getOrInsertComputed(key, () => narrowNow(condition, types));
  }

  async function narrowNow(condition: Condition, types: readonly NodeType[] | undefined): Promise<Narrowed> {
    switch (condition.is) {
      case "along":
        return goAlong(condition.along, types);
      case "among": {
        const { things, isExact, isComplete } = await find(condition.things);
        return { ids: idsOf(things), isExact, isComplete };
      }
      case "affected": {
        const { things, isExact } = await find(condition.by);
        const impacts = await Promise.all(
          things.slice(0, MAX_ROOTS).map((thing) => lookup.impact(thing, condition.change)),
        );
        return {
          ids: new Set(impacts.flatMap((impact) => impact?.affected.map(({ id }) => id) ?? [])),
          isExact:
            isExact &&
            things.length <= MAX_ROOTS &&
            impacts.every((impact) => impact === null || impact.affected.length >= impact.summary.total),
          isComplete: impacts.every((impact) => impact?.isComplete ?? true),
        };
      }
      case "name": {
        const found = await Promise.all(
          condition.any.map((name) => lookup.search(name, types ?? [...NAMED_TYPES, "column"], MAX_SEARCHED)),
        );
        const names = new Set(condition.any.map(fold));
        const all = found
          .flat()
          .filter(({ name, displayName }) => names.has(fold(name)) || names.has(fold(displayName)));
        return { ids: idsOf(all), isExact: found.every(({ length }) => length < MAX_SEARCHED), isComplete: true };
      }
      case "text": {
        const found = await lookup.search(condition.words, types ?? NAMED_TYPES, MAX_SEARCHED);
        // A search finds what is near as well.
        const all = found.filter((thing) => saysAll(thing, condition.words));
        return { ids: idsOf(all), isExact: found.length < MAX_SEARCHED, isComplete: true };
      }
      default:
        throw new Error(`${condition.is} names nothing to begin at`);
    }
  }

  async function goAlong(along: Along, types: readonly NodeType[] | undefined): Promise<Narrowed> {
    const { way, of, depth } = along;
    const from = await find(of);
    const roots = from.things.slice(0, MAX_ROOTS);
    const isExact = from.isExact && from.things.length <= MAX_ROOTS;
    if (way === "columns") {
      const columns = await lookup.columns(
        roots.filter(({ type }) => type === "table" || type === "model").map(({ id }) => id),
      );
      return { ids: idsOf(columns), isExact, isComplete: from.isComplete };
    }
    if (way === "parents") {
      const parents = from.things.flatMap(({ parentId }) => parentId ?? []);
      return { ids: new Set(parents), isExact: from.isExact, isComplete: from.isComplete };
    }
    if (types?.join() === "column" && roots.some(({ type }) => type !== "column"))
      return columnsAlong(from, { way, depth }, lookup);
    const walks = await Promise.all(roots.map(({ id }) => lookup.walk(id, way, depth)));
    const reached = walks.flatMap(({ nodes }) => nodes);
    const ids = new Set(reached.filter(({ type }) => types === undefined || types.includes(type)).map(({ id }) => id));
    // A column's lineage is of columns: who asks for tables means theirs.
    const columns = reached.filter(({ type }) => type === "column").map(({ id }) => id);
    const wantsTables = types === undefined ? false : types.includes("table") || types.includes("model");
    if (wantsTables && columns.length > 0) {
      for (const { parentId } of await lookup.load(columns)) if (parentId !== null) ids.add(parentId);
    }
    // No lineage leads from a column to what reads its table; an impact does.
    const wantsReports = types?.every((type) => !isReport(type)) !== true;
    const isOfColumn = way === "downstream" && roots.some(({ type }) => isColumn(type)) && wantsReports;
    const affected = isOfColumn ? await narrow({ is: "affected", by: of, change: "column_drop" }, types) : null;
    for (const { id, type } of await lookup.load([...(affected?.ids ?? [])])) if (isReport(type)) ids.add(id);
    return {
      ids,
      isExact: isExact && (affected?.isExact ?? true) && walks.every(({ isCut }) => !isCut),
      isComplete: from.isComplete && walks.every((walk) => walk.isComplete),
    };
  }

  /**
   * Those of a few things that lie along a set: walked from the things themselves, which is exact however large the set is.
   * Null where the things are many, or what they reach is.
   */
  async function walkBack(
    { way, of, depth }: Along,
    things: readonly Thing[],
    most: number,
  ): Promise<Required<Narrowed> | null> {
    if ((way !== "upstream" && way !== "downstream") || of.ids !== undefined || things.length > most) return null;
    if (things.some(({ type }) => isColumn(type)) !== (of.types?.every(isColumn) ?? false)) return null;
    const opposite = way === "upstream" ? "downstream" : "upstream";
    const walks = await Promise.all(things.map(({ id }) => lookup.walk(id, opposite, depth)));
    const reached = walks.map(({ nodes }) => nodes.filter(({ type }) => isOfType(type, of.types)).map(({ id }) => id));
    const all = [...new Set(reached.flat())];
    if (all.length > MAX_LOOKED_AT) return null;
    const met = of.where === undefined ? null : await meet(of.where, await lookup.load(all));
    const ids = things.filter((_, i) => reached[i]?.some((id) => met?.ids.has(id) ?? true)).map(({ id }) => id);
    return {
      ids: new Set(ids),
      isExact: walks.every(({ isCut }) => !isCut) && (met?.isExact ?? true),
      isComplete: walks.every(({ isComplete }) => isComplete) && (met?.isComplete ?? true),
    };
  }

  /** Those of the things that meet a condition. */
  async function meet(condition: Condition, things: readonly Thing[]): Promise<Required<Narrowed>> {
    const sure = { isExact: true, isComplete: true };
    if (things.length === 0) return { ids: new Set(), ...sure };
    switch (condition.is) {
      case "all": {
        let left = things;
        let state = sure;
        for (const each of condition.of) {
          const met = await meet(each, left);
          left = left.filter(({ id }) => met.ids.has(id));
          state = both(state, met);
        }
        return { ids: idsOf(left), ...state };
      }
      case "any": {
        const met = await Promise.all(condition.of.map((each) => meet(each, things)));
        return { ids: new Set(met.flatMap(({ ids }) => [...ids])), ...met.reduce(both, sure) };
      }
      case "not": {
        const met = await meet(condition.of, things);
        // Only some of the items that meet the condition are known, so the rest would wrongly be reported as complete.
        if (!met.isExact) throw new CannotTell(TOO_MANY);
        return { ...met, ids: new Set(things.map(({ id }) => id).filter((id) => !met.ids.has(id))) };
      }
      case "has":
        return meetMeasure({ of: condition.feature, least: 1 }, things);
      case "measure":
        return meetMeasure(condition, things);
      case "checked by": {
        const checks = await lookup.checks(things.filter(({ type }) => type !== "metric").map(({ id }) => id));
        const met = things.filter((thing) =>
          checks.get(thing.id)?.seen.some((check) => isCheckMeant(thing, check, condition.any)),
        );
        return {
          ids: idsOf(met),
          isExact: [...checks.values()].every(({ total, seen }) => seen.length >= total),
          isComplete: true,
        };
      }
      case "along":
      case "among":
      case "affected": {
        const back = condition.is === "along" ? await walkBack(condition.along, things, MAX_WALKED_BACK) : null;
        if (back !== null) return back;
        const types = [...new Set(things.map(({ type }) => type))];
        const { ids, ...state } = await narrow(condition, types);
        // The set is too large to be walked from.
        if (condition.is === "along" && !state.isExact) {
          const all = await walkBack(condition.along, things, MAX_ROOTS);
          if (all !== null) return all;
        }
        return { ids: new Set(things.map(({ id }) => id).filter((id) => ids?.has(id))), ...state };
      }
      case "text":
        return { ids: idsOf(things.filter((thing) => saysAll(thing, condition.words))), ...sure };
      default:
        return { ids: idsOf(things.filter((thing) => isMet(condition, thing))), ...sure };
    }
  }

  async function meetMeasure(
    { of, among, least = 0, most = Infinity }: CountedOrHad & { least?: number | undefined; most?: number | undefined },
    things: readonly Thing[],
  ): Promise<Required<Narrowed>> {
    const { values, isExact } = await count({ of, among }, things);
    if (!isExact && most !== Infinity) throw new CannotTell(TOO_MANY);
    const met = things.filter(({ id }) => (values.get(id) ?? 0) >= least && (values.get(id) ?? 0) <= most);
    return { ids: idsOf(met), isExact, isComplete: true };
  }

  /** How much each of the things has of something. */
  async function count({ of, among }: CountedOrHad, things: readonly Thing[]) {
    if (among === undefined) return measure(of, things, lookup);
    const counted = await find(among);
    const ids = idsOf(counted.things);
    const { values, isExact } = await measure(of, things, lookup, (id) => ids.has(id));
    return { values, isExact: isExact && counted.isExact && counted.things.length >= counted.total };
  }

  /** All members, for what is told of the whole set. */
  async function findAll(set: Things): Promise<Found> {
    const found = await findAllowed(set);
    if (!found.isExact || found.things.length < found.total) throw new CannotTell(TOO_MANY);
    return found;
  }

  /** Whether each of the things meets it, for a yes or a no. */
  async function decide(condition: Condition, things: readonly Thing[]): Promise<Required<Narrowed>> {
    const met = await meet(condition, things);
    if (!met.isExact && met.ids.size < things.length) throw new CannotTell(TOO_MANY);
    return met;
  }

  /** As `findAllowed`; but that there are none is only said if it is sure. */
  async function findSome(set: Things): Promise<Found> {
    const found = await findAllowed(set);
    if (found.things.length === 0 && !found.isExact) throw new CannotTell(TOO_MANY);
    return found;
  }

  return { find: findSome, findAll, decide, count };
}
