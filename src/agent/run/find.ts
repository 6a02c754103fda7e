/** Finds the members of a set: by the narrowest look-up that its conditions allow, then by what is known of each. */
import type { NodeType } from "../../catalog/asset.ts";
import { fold } from "../../catalog/text.ts";
import { type CheckSeen, type Filter, NAMED_TYPES, type Thing } from "../catalog.ts";
import { CannotTell, type Lookup } from "../lookup.ts";
import type { Along, Condition, Things, Way } from "../plan.ts";
import { isMet, saysAll } from "./is-met.ts";
import { measure } from "./measure.ts";

export interface Found {
  things: Thing[];
  /** How many there are: exactly, if `isExact`, else at least. */
  total: number;
  isExact: boolean;
  /** Whether the lineage that was walked is known without gaps. */
  isComplete: boolean;
}

/** Members of a set that are looked at one by one. */
const MAX_LOOKED_AT = 2_000;
/** Members of a set from each of which lineage is walked. */
const MAX_ROOTS = 150;
const MAX_SEARCHED = 100;

interface Narrowed {
  /** Their ids, or the filter of a list. */
  ids?: ReadonlySet<string>;
  isExact: boolean;
  isComplete: boolean;
}

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
    const narrowing = set.ids === undefined ? conditions.find(isNarrow) : undefined;
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
      isExact:
        candidates.items.length >= Math.min(candidates.total, Infinity) && met.isExact && (narrowed?.isExact ?? true),
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
            impacts.every((impact) => impact === null || impact.affected.length >= impact.total),
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
        return { ids: idsOf(found), isExact: found.length < MAX_SEARCHED, isComplete: true };
      }
      default:
        throw new Error(`${condition.is} names nothing to begin at`);
    }
  }

  async function goAlong({ way, of, depth }: Along, types: readonly NodeType[] | undefined): Promise<Narrowed> {
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
      return columnsAlong(roots, way, isExact);
    const walks = await Promise.all(roots.map(({ id }) => lookup.walk(id, way, depth)));
    const reached = walks.flatMap(({ nodes }) => nodes);
    const ids = new Set(reached.filter(({ type }) => types === undefined || types.includes(type)).map(({ id }) => id));
    // A column's lineage is of columns: who asks for tables means theirs.
    const columns = reached.filter(({ type }) => type === "column").map(({ id }) => id);
    const wantsTables = types === undefined ? false : types.includes("table") || types.includes("model");
    if (wantsTables && columns.length > 0) {
      for (const { parentId } of await lookup.load(columns)) if (parentId !== null) ids.add(parentId);
    }
    return {
      ids,
      isExact: isExact && walks.every(({ isCut }) => !isCut),
      isComplete: from.isComplete && walks.every((walk) => walk.isComplete),
    };
  }

  /** Columns are fed by columns, and feed metrics. What else uses them is known of their tables alone. */
  async function columnsAlong(roots: readonly Thing[], way: Way, isExact: boolean): Promise<Narrowed> {
    if (way !== "upstream" || roots.some(({ type }) => type !== "metric")) throw new CannotTell();
    const own = (await Promise.all(roots.map(({ id }) => lookup.sourceColumns(id)))).flat();
    const walks = await Promise.all(own.slice(0, MAX_ROOTS).map((id) => lookup.walk(id, "upstream")));
    const reached = walks.flatMap(({ nodes }) => nodes.map(({ id }) => id));
    return {
      ids: new Set([...own, ...reached]),
      isExact: isExact && own.length <= MAX_ROOTS && walks.every(({ isCut }) => !isCut),
      isComplete: walks.every(({ isComplete }) => isComplete),
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
        return { ...met, ids: new Set(things.map(({ id }) => id).filter((id) => !met.ids.has(id))) };
      }
      case "measure":
      case "has": {
        const of = condition.is === "has" ? condition.feature : condition.of;
        const { values, isExact } = await measure(
          of,
          things,
          lookup,
          condition.is === "measure" ? condition.types : undefined,
        );
        const { least = condition.is === "has" ? 1 : 0, most = Infinity } = condition.is === "has" ? {} : condition;
        const ids = things
          .map(({ id }) => id)
          .filter((id) => (values.get(id) ?? 0) >= least && (values.get(id) ?? 0) <= most);
        return { ids: new Set(ids), isExact, isComplete: true };
      }
      case "checked by": {
        const checks = await lookup.checks(things.filter(({ type }) => type !== "metric").map(({ id }) => id));
        const wanted = condition.any.map(fold);
        const isMeant = ({ name, test }: CheckSeen): boolean =>
          wanted.some((it) => fold(test).includes(it) || fold(name).includes(it));
        const met = things.filter(({ id }) => checks.get(id)?.seen.some(isMeant));
        return {
          ids: idsOf(met),
          isExact: [...checks.values()].every(({ total, seen }) => seen.length >= total),
          isComplete: true,
        };
      }
      case "along":
      case "among":
      case "affected": {
        const types = [...new Set(things.map(({ type }) => type))];
        const { ids, ...state } = await narrow(condition, types);
        return { ids: new Set(things.map(({ id }) => id).filter((id) => ids?.has(id))), ...state };
      }
      case "text": {
        const { ids, ...state } = await narrow(condition, [...new Set(things.map(({ type }) => type))]);
        return {
          ids: new Set(things.filter((it) => ids?.has(it.id) || saysAll(it, condition.words)).map(({ id }) => id)),
          ...state,
        };
      }
      default:
        return { ids: idsOf(things.filter((thing) => isMet(condition, thing))), ...sure };
    }
  }

  return { find: findAllowed, meet };
}

function both<T extends { isExact: boolean; isComplete: boolean }>(
  a: T,
  b: { isExact: boolean; isComplete: boolean },
): T {
  return { ...a, isExact: a.isExact && b.isExact, isComplete: a.isComplete && b.isComplete };
}

function idsOf(things: readonly Thing[]): Set<string> {
  return new Set(things.map(({ id }) => id));
}

function isOfType(type: NodeType, types: readonly NodeType[] | undefined): boolean {
  return types === undefined || types.includes(type);
}

function partsOf(condition: Condition | undefined): readonly Condition[] {
  if (condition === undefined) return [];
  return condition.is === "all" ? condition.of : [condition];
}

/** Whether a condition leads to its members by itself, without a list of all there is. */
function isNarrow({ is }: Condition): boolean {
  return is === "along" || is === "among" || is === "affected" || is === "name" || is === "text";
}

/** What the store can filter by, and what is left to look at. */
function toFilter({ types }: Things, conditions: readonly Condition[]): { filter: Filter; rest: Condition[] } {
  const filter: Filter = { types: types ?? NAMED_TYPES };
  const rest = conditions.filter((condition) => {
    const [first, ...others] = "any" in condition ? condition.any : [];
    if (first === undefined || others.length > 0) return true;
    if (condition.is === "tag" && filter.tag === undefined) filter.tag = first;
    else if (condition.is === "connector" && filter.connector === undefined) filter.connector = first;
    else if (condition.is === "owner" && filter.owner === undefined && first.includes("@")) filter.owner = first;
    else if (condition.is === "certification" && filter.certification === undefined)
      filter.certification = condition.any[0];
    else return true;
    return false;
  });
  return { filter, rest };
}
