/** Reads a set of assets: one pass from left to right makes each cue a condition. What it cannot place stays unused. */
import { anyOf, type Condition, not, only, reachFar, type Things } from "../plan.ts";
import { inverse } from "../catalog.ts";
import { LAYER_BEGINNINGS } from "../names/words.ts";
import { along, as, type Cue, hasCue, is, isColumnType, isOf, measureOf, nameOf, type Reach } from "./cue.ts";
import { says, take } from "./cue.ts";
import { tableOf } from "./join-cues.ts";

const REPORTS = ["dashboard", "pipeline", "metric"] as const;
const LAYERS = new Set([...LAYER_BEGINNINGS.values()].flat());
const REACHED = ["adjective", "value", "tagged", "own", "in", "made"] as const;
/** What the words beside a value can say of it. */
const VALUED = ["tag", "schema", "owner", "materialization"] as const;

/**
 * @param used gets every cue that a condition was made of
 * @param from above 0 for the object of a relation, which ends where another condition of the subject begins
 * @returns what is asked for, and where the reading ended
 */
export function readSet(cues: readonly Cue[], used: Set<Cue>, from = 0) {
  /** What is asked for, as its types say; undefined if none does. */
  let subject: Things | undefined;
  let lastType: Cue | undefined;
  /** The conditions on it, in the order in which they were said. */
  let where: Condition[] = [];
  /** Names that have no place: they are neither what is asked for nor in a condition. */
  const names: Cue[] = [];
  let isEvery = false;
  let at = from;
  /** Whether the next condition is not to hold, or is another one for the last. */
  let isNegated = false;
  let isEither = false;
  /** Whether the last condition is not to hold, by words of its own. */
  let wasNegated = false;

  function read() {
    for (; at < cues.length; at++) {
      const cue = cues[at] as Cue;
      if (used.has(cue)) continue;
      if (from > 0 && is(cue, "and", "comma") && (subject !== undefined || where.length > 0)) break;
      if (readCue(cue)) used.add(cue);
    }
    // "not" before nothing was not understood.
    if (isNegated) for (const cue of cues.slice(from, at)) if (is(cue, "not", "without")) used.delete(cue);
    // "customer_id: which tables have it": a name may stand before its type.
    for (const cue of names.splice(0)) if (readName(cue)) used.add(cue);
    if (isOf(subject, "column")) where = where.map(ofColumns);
    if (isOf(subject, ...REPORTS)) where = where.map(ofReports);
    return { find: only(subject ?? {}, ...where), subject, where, names, isEvery, at };
  }

  function put(condition: Condition, ...taken: readonly (Cue | undefined)[]): boolean {
    take(used, taken);
    const said = isNegated ? not(condition) : condition;
    const last = where.at(-1);
    if (isEither && last !== undefined) where.splice(-1, 1, anyOf(last, said));
    else where.push(said);
    [wasNegated, isNegated, isEither] = [isNegated, false, false];
    return true;
  }

  /** @returns whether the cue was used */
  function readCue(cue: Cue): boolean {
    const [before, next] = [cues[at - 1], cues[at + 1]];
    const [relation, part, type] = [as(cue, "relation"), as(cue, "part"), as(cue, "type")];
    const [adjective, check] = [as(cue, "adjective")?.where, as(cue, "check")?.any];
    const isHad = isNegated || is(before, "with", "without");
    if (is(cue, "every")) return (isEvery = true);
    if (is(cue, "both")) return is(before, "with");
    if (is(cue, "not", "without", "outside")) {
      isNegated = !isNegated;
      return true;
    }
    if (is(cue, "or", "and")) return readJoin(cue, next);
    // "which models are defined": of what has a name, it asks how.
    if (is(cue, "define")) return !hasCue(cues, "name");
    if (is(cue, "name")) return readName(cue);
    if (is(cue, "value")) return readValue(cue);
    if (is(cue, "own") && subject && !hasCue(isNegated && next ? [next] : cues, "who", "value"))
      return put({ is: "has", feature: "owner" });
    // "below three columns" is a number, and "below orders" a relation.
    if ((is(cue, "compare") || (is(cue, "number") && is(before, "with"))) && readAmount(cue)) return true;
    if (relation !== undefined) return readRelation(relation, false);
    if (type !== undefined) return readType(cue, type.set, before, next);
    if (adjective !== undefined) return put(adjective);
    const nouns = cues.filter((each) => as(each, "part")?.aspect === "checks" || says(each, "has"));
    if (check !== undefined) take(used, cues, "modal");
    if (check !== undefined) return put({ is: "checked by", any: check }, ...nouns);
    if (is(cue, "unknown") && cue.text.includes("_") && as(next, "part")?.aspect === "checks")
      return put({ is: "checked by", any: [cue.text] }, next);
    if (part?.aspect === "certification" && says(next, "certification")) return true;
    if (part?.way !== undefined && !isHad) return readRelation({ ...part, way: part.way }, true);
    if (part?.feature !== undefined && isHad) return put({ is: "has", feature: part.feature });
    // "columns named email", "tagged with what no asset has"
    const of = is(cue, "named") ? "name" : is(cue, "tagged") ? "tag" : part?.aspect === "data type" && "data type";
    const isText = is(next, "unknown") || (of !== "tag" && is(next, "value", of === "name" ? "name" : "adjective"));
    if (!isText || !of || next === undefined || used.has(next)) return false;
    const called: Condition = { is: of, any: [next.text] };
    // "models with a column called email"
    const isOfColumn = of === "name" && before !== lastType && isColumnType(before);
    if (!isOfColumn) return put(called, next);
    return put({ is: "along", along: { way: "parents", of: { types: ["column"], where: called } } }, before, next);
  }

  /** "or": the other end of it is the next condition; "without A or B" is none of them. */
  function readJoin(cue: Cue, next: Cue | undefined): boolean {
    const isNoun = as(next, "part")?.feature !== undefined || isColumnType(next) || is(next, ...REACHED);
    const lead = cues[at - 2];
    // "without an owner and description": the word reaches over "and", as "no" does not surely.
    const reaches =
      wasNegated && isNoun && (is(cue, "or") || (is(lead, "without") && !/\bno\b/i.test(lead?.text ?? "")));
    const isOfTypes = lastType === cues[at - 1] && is(next, "type");
    if (isOfTypes || where.length === 0 || isNegated || (is(cue, "and") && !reaches)) return false;
    if (reaches) isNegated = true;
    else isEither = true;
    return true;
  }

  /** @param isNoun whether it is said by a noun, such as "the users of X" */
  function readRelation({ way, isLoose = false, depth }: Reach, isNoun: boolean): boolean {
    let i = at + 1;
    while (is(cues[i], "in", "both", "a")) take(used, [cues[i++]]);
    // "use incremental materialization" says how they are built.
    if (isLoose && is(cues[i], "value") && as(cues[i + 1], "part")?.group === "materialization") return true;
    const isNone = is(cues[i], "not") && !is(cues[i + 1], "name", "relation");
    if (isNone) {
      take(used, [cues[i++]]);
      isNegated = !isNegated;
    }
    const reach: Reach = isLoose && from === 0 && !isNegated && !isNone ? { way, depth: 1, isLoose } : { way, depth };
    if (is(cues[i], "name") || leadsToName(i)) return readNames(reach, i);
    if (hasObject(cues, i)) {
      const inner = readSet(cues, used, i);
      if (is(cues[i], "every")) used.delete(cues[i] as Cue);
      const isAnything = Object.keys(inner.find).length === 0;
      put(isAnything ? { is: "has", feature: inverse(way) } : along(reach, inner.find));
      names.push(...inner.names);
      at = inner.at - 1;
      return true;
    }
    if (isNone) return put({ is: "has", feature: inverse(way) });
    // "X uses", "X's users": what stands before it is its subject, and what is asked for its object.
    const all = names.splice(0);
    // "that nobody uses"; a relation to nothing that is said is not understood.
    if (all.length === 0) return isNegated && put({ is: "has", feature: way });
    const of = all.map((cue) => along({ ...reach, way: isNoun ? way : inverse(way) }, nameOf(cue).set));
    const joining = cues.slice(0, i).filter((cue) => is(cue, "or", "both", "possessive"));
    return put(joined(hasCue(joining, "or") ? "any" : "all", of), ...all, ...joining);
  }

  /** "X and Y", "X or Y but not Z", "neither X nor Y". */
  function readNames(reach: Reach, start: number): boolean {
    let i = start;
    let isWithout = false;
    const [some, none]: [Condition[], Condition[]] = [[], []];
    for (; i < cues.length; i++) {
      const cue = cues[i] as Cue;
      if (is(cue, "name")) {
        const { set } = nameOf(cue);
        if (isWithout) none.push(not(along({ way: reach.way, depth: reach.depth }, set)));
        else some.push(along(reach, set));
        isWithout = isWithout && is(cues[start], "not");
      } else if (is(cue, "and", "or", "comma", "not", "both", "a") && leadsToName(i + 1)) isWithout ||= is(cue, "not");
      else if (!is(cue, "in") || !is(cues[i - 1], "not", "and", "or")) break;
      used.add(cue);
    }
    at = i - 1;
    const any = some.length === 0 ? [] : [joined(hasCue(cues.slice(start, i), "or") ? "any" : "all", some)];
    return put(joined("all", [...any, ...none]));
  }

  /** Whether a name follows, and no relation of its own behind it. */
  function leadsToName(start: number): boolean {
    const i = cues.findIndex((cue, each) => each >= start && !is(cue, "not", "and", "in", "both", "a"));
    return is(cues[i], "name") && !is(cues[i + 1], "relation");
  }

  /** An owner, a tag, a schema or a way to build: the words beside it say which. */
  function readValue(cue: Cue): boolean {
    const [before, next] = [cues[at - 1], cues[at + 1]];
    // "in finance tagged pii": what stands behind may be said of the next value.
    const said = new Set([saidBy(before), is(next, "tagged", "made") ? undefined : saidBy(next)]);
    const asked = VALUED.find((each) => said.has(each));
    const values = cue.words.filter((word) => word.is === "value").map((word) => word.where);
    if (/^by$/i.test(before?.text ?? "") && where.at(-1)?.is === "certification") return readCertifier(values);
    const fitting = values.filter((each) => each.is === asked);
    const isOpen = fitting.length === 0 && (asked === undefined || asked === "materialization");
    const [first, ...others] = isOpen ? values : fitting;
    // "what has Ana certified": certified by somebody is not owned by them.
    if (first === undefined || (first.is === "owner" && asked === undefined && says(next, "certification")))
      return false;
    const isSaid = (each: Cue | undefined): boolean =>
      is(each, "tagged", "own", "made", "connector") || (asked !== undefined && as(each, "part")?.group === asked);
    take(used, [before, next].filter(isSaid));
    const value = others.reduce(anyOf, first);
    const last = where.at(-1);
    const other = last?.is === "not" ? last.of : last;
    const isOnce = value.is === "schema" || value.is === "owner" || value.is === "materialization";
    // "in raw and staging": an asset is in one schema, and has one owner.
    if (!isOnce || !is(before, "and", "comma") || other?.is !== value.is || isNegated) return put(value);
    const all = { ...other, any: [...other.any, ...value.any] } as Condition;
    where.splice(-1, 1, other === last ? all : not(all));
    return true;
  }

  /** "certified by ana@example.com": a certification has an address, which a name does not tell. */
  function readCertifier(values: readonly Condition[]): boolean {
    const who = values.flatMap((value) => (value.is === "owner" ? value.any : [])).find((each) => each.includes("@"));
    if (who !== undefined) where.splice(-1, 1, { is: "certified by", who });
    return who !== undefined;
  }

  /** "more than three columns" of what the subject has: as many as a comparison says, or just so many. */
  function readAmount(cue: Cue): boolean {
    const bound = as(cue, "compare")?.bound;
    const [number, what] = cues.slice(at + (bound === undefined ? 0 : 1));
    const [amount, of] = [as(number, "number")?.amount, measureOf(what)];
    if (amount === undefined || of === undefined) return false;
    return put({ is: "measure", of, ...(bound?.(amount) ?? { least: amount, most: amount }) }, number, what);
  }

  /** A name where no relation is said beside it. */
  function readName(cue: Cue): boolean {
    const i = cues.indexOf(cue);
    const [lead, before, next] = [cues[i - 2], cues[i - 1], cues[i + 1]];
    const { set } = nameOf(cue);
    const table = isOf(subject, "column") ? tableOf(cue) : null;
    // Which columns one table has and another has not is told by their names: a comparison does that.
    if (table !== null && !isNegated && (is(before, "in") || !is(next, "relation"))) {
      // No column is one of two tables: what both have is not asked in this form.
      const isSecond = where.some((each) => each.is === "along" && each.along.way === "columns");
      return !isSecond && put({ is: "along", along: { way: "columns", of: table } });
    }
    const isHeld = [lead, before, next].some((each) => is(each, "with", "without", "named")) || /_/.test(cue.text);
    const isColumn = isOf(subject, "table", "model") && isOf(set, "column") && isHeld;
    // "tables with a customer_id"
    if (isColumn && !is(next, "relation")) return put({ is: "along", along: { way: "parents", of: set } });
    names.push(cue);
    return false;
  }

  function readType(cue: Cue, set: Things, before: Cue | undefined, next: Cue | undefined): boolean {
    const isAgain = is(before, "or", "and", "comma") && cues[at - 2] === lastType;
    // What stands behind "with a column" may be said of the column.
    const isOwn = isOf(set, "column") && (next === undefined || is(next, "and", "or", "comma"));
    const relation = as(next, "relation");
    // "models that no dashboard uses"
    if (relation && subject && (isNegated || cue.text.endsWith("s")) && !hasObject(cues, at + 2))
      return put(along({ way: inverse(relation.way), depth: relation.depth }, set), next);
    if (subject === undefined) [subject, lastType] = [set, cue];
    else if (isAgain && subject.where === undefined && set.where === undefined) {
      const types = [...new Set([...(subject.types ?? []), ...(set.types ?? [])])];
      [subject, lastType] = [{ ...subject, types }, cue];
      take(used, [before]);
    } else if (isColumnType(cue) && is(next, "named") && is(cues[at + 2], "name")) take(used, [next]);
    else return isOwn && (isNegated || is(before, "with", "without")) && put({ is: "has", feature: "columns" });
    return true;
  }

  return read();
}

/** What a cue says that a value beside it is. */
function saidBy(cue: Cue | undefined): string | undefined {
  const verb = is(cue, "own") ? "owner" : is(cue, "made") ? "materialization" : is(cue, "tagged") ? "tag" : undefined;
  return verb ?? as(cue, "part")?.group;
}

/** Whether a set follows that a relation may be to. */
function hasObject(cues: readonly Cue[], from: number): boolean {
  const object = cues.slice(from).find((cue) => !is(cue, "in", "every", "not", "both", "a"));
  return is(object, "type", "adjective", "value", "name", "compare", "made", "tagged");
}

function joined(by: "all" | "any", of: Condition[]): Condition {
  return of.length === 1 && of[0] !== undefined ? of[0] : { is: by, of };
}

/** No lineage leads from a column to what reads its table: which reports use it is told by what a change of it affects. */
function ofReports(where: Condition): Condition {
  return where.is === "along" && isOf(where.along.of, "column") ? reachFar(where) : where;
}

/** Columns have neither a kind nor a materialization nor a layer: those of their tables are meant. */
function ofColumns(where: Condition): Condition {
  const isLayer = where.is === "name part" && where.any.every((each) => LAYERS.has(each));
  const isOfTable = where.is === "kind" || where.is === "materialization" || isLayer;
  return isOfTable ? { is: "along", along: { way: "columns", of: { types: ["table", "model"], where } } } : where;
}
