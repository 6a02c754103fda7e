/** Reads a set of assets: one pass from left to right makes each cue a condition. What it cannot place stays unused. */
import { anyOf, type Condition, not, only, type Things } from "../plan.ts";
import { LAYER_BEGINNINGS } from "../names/words.ts";
import { along, as, type Cue, hasCue, inverse, is, isColumnType, isOf, measureOf, nameOf, type Reach } from "./cue.ts";
import { tableOf } from "./join-cues.ts";

const LAYERS = new Set([...LAYER_BEGINNINGS.values()].flat());
/** What the words beside a value can say of it. */
const VALUED = ["tag", "schema", "owner", "materialization"] as const;

export class SetReader {
  /** What is asked for, as its types say; undefined if none does. */
  subject: Things | undefined;
  /** The conditions on it, in the order in which they were said. */
  where: Condition[] = [];
  /** Names that have no place: they are neither what is asked for nor in a condition. */
  names: Cue[] = [];
  isEvery = false;
  private readonly cues: readonly Cue[];
  private readonly used: Set<Cue>;
  private readonly from: number;
  private at: number;
  /** Whether the next condition is not to hold, or is another one for the last. */
  private isNegated = false;
  private isEither = false;
  /** Whether the last condition is not to hold, by words of its own. */
  private wasNegated = false;
  private lastType: Cue | undefined;

  /**
   * @param used gets every cue that a condition was made of
   * @param from above 0 for the object of a relation, which ends where another condition of the subject begins
   */
  constructor(cues: readonly Cue[], used: Set<Cue>, from = 0) {
    [this.cues, this.used, this.from, this.at] = [cues, used, from, from];
  }

  get find(): Things {
    return only(this.subject ?? {}, ...this.where);
  }

  read(): this {
    for (; this.at < this.cues.length; this.at++) {
      const cue = this.cues[this.at] as Cue;
      if (this.used.has(cue)) continue;
      if (this.from > 0 && is(cue, "and", "comma") && (this.subject !== undefined || this.where.length > 0)) break;
      if (this.readCue(cue)) this.take(cue);
    }
    // "not" before nothing was not understood.
    if (this.isNegated)
      for (const cue of this.cues.slice(this.from, this.at)) if (is(cue, "not", "without")) this.used.delete(cue);
    // "customer_id: which tables have it": a name may stand before its type.
    for (const cue of this.names.splice(0)) if (this.readName(cue, this.cues.indexOf(cue))) this.take(cue);
    if (isOf(this.subject, "column")) this.where = this.where.map(ofColumns);
    return this;
  }

  private take(...some: readonly (Cue | undefined)[]): void {
    for (const cue of some) if (cue !== undefined) this.used.add(cue);
  }

  private put(condition: Condition, ...taken: readonly (Cue | undefined)[]): boolean {
    this.take(...taken);
    const said = this.isNegated ? not(condition) : condition;
    const last = this.where.at(-1);
    if (this.isEither && last !== undefined) this.where.splice(-1, 1, anyOf(last, said));
    else this.where.push(said);
    [this.wasNegated, this.isNegated, this.isEither] = [this.isNegated, false, false];
    return true;
  }

  /** @returns whether the cue was used */
  private readCue(cue: Cue): boolean {
    const [before, next] = [this.cues[this.at - 1], this.cues[this.at + 1]];
    const [relation, part, type] = [as(cue, "relation"), as(cue, "part"), as(cue, "type")];
    const adjective = as(cue, "adjective")?.where;
    const isHad = this.isNegated || is(before, "with", "without");
    if (is(cue, "every")) return (this.isEvery = true);
    if (is(cue, "both")) return is(before, "with");
    if (is(cue, "not", "without", "outside")) {
      this.isNegated = !this.isNegated;
      return true;
    }
    if (is(cue, "or", "and")) return this.readJoin(cue, next);
    // "which models are defined": of what has a name, it asks how.
    if (is(cue, "define")) return !hasCue(this.cues, "name");
    if (is(cue, "name")) return this.readName(cue, this.at);
    if (is(cue, "value")) return this.readValue(cue);
    if (is(cue, "own") && this.subject && !hasCue(this.isNegated && next ? [next] : this.cues, "who", "value"))
      return this.put({ is: "has", feature: "owner" });
    // "below three columns" is a number, and "below orders" a relation.
    if ((is(cue, "compare") || (is(cue, "number") && is(before, "with"))) && this.readAmount(cue)) return true;
    if (relation !== undefined) return this.readRelation(relation, false);
    if (type !== undefined) return this.readType(cue, type.set, before, next);
    if (adjective !== undefined) return this.put(adjective);
    if (is(cue, "check")) {
      const nouns = this.cues.filter((each) => as(each, "part")?.aspect === "checks" || isAbout(each, "has"));
      return this.put({ is: "checked by", any: as(cue, "check")?.any ?? [] }, ...nouns);
    }
    if (is(cue, "unknown") && cue.text.includes("_") && as(next, "part")?.aspect === "checks")
      return this.put({ is: "checked by", any: [cue.text] }, next);
    if (part?.aspect === "certification" && isAbout(next, "certification")) return true;
    if (part?.way !== undefined && !isHad) return this.readRelation({ ...part, way: part.way }, true);
    if (part?.feature !== undefined && isHad) return this.put({ is: "has", feature: part.feature });
    // "columns named email", "tagged with what no asset has"
    const of = is(cue, "named") ? "name" : is(cue, "tagged") ? "tag" : part?.aspect === "data type" && "data type";
    const isText = is(next, "unknown") || (of !== "tag" && is(next, "value", of === "name" ? "name" : "adjective"));
    return isText && of && next && !this.used.has(next) ? this.put({ is: of, any: [next.text] }, next) : false;
  }

  /** "or": the other end of it is the next condition; "without A or B" is none of them. */
  private readJoin(cue: Cue, next: Cue | undefined): boolean {
    const isNoun = as(next, "part")?.feature !== undefined || isColumnType(next) || is(next, "adjective");
    const lead = this.cues[this.at - 2];
    // "without an owner and description": the word reaches over "and", as "no" does not surely.
    const reaches =
      this.wasNegated && isNoun && (is(cue, "or") || (is(lead, "without") && !/\bno\b/i.test(lead?.text ?? "")));
    const isOfTypes = this.lastType === this.cues[this.at - 1] && is(next, "type");
    if (isOfTypes || this.where.length === 0 || this.isNegated || (is(cue, "and") && !reaches)) return false;
    if (reaches) this.isNegated = true;
    else this.isEither = true;
    return true;
  }

  /** @param isNoun whether it is said by a noun, such as "the users of X" */
  private readRelation({ way, isLoose = false, ...reach }: Reach, isNoun: boolean): boolean {
    const { cues } = this;
    let i = this.at + 1;
    while (is(cues[i], "in", "both", "a")) this.take(cues[i++]);
    const isNone = is(cues[i], "not") && !is(cues[i + 1], "name", "relation");
    if (isNone) {
      this.take(cues[i++]);
      this.isNegated = !this.isNegated;
    }
    const isNear = isLoose && this.from === 0 && !this.isNegated && !isNone;
    const near: Omit<Reach, "way"> = isNear ? { depth: 1, isLoose } : { depth: reach.depth };
    if (is(cues[i], "name") || this.leadsToName(i)) return this.readNames({ way, ...near }, i);
    if (hasObject(cues, i)) {
      const inner = new SetReader(cues, this.used, i).read();
      if (is(cues[i], "every")) this.used.delete(cues[i] as Cue);
      const isAnything = Object.keys(inner.find).length === 0;
      this.put(isAnything ? { is: "has", feature: inverse(way) } : along({ way, ...near }, inner.find));
      this.names.push(...inner.names);
      this.at = inner.at - 1;
      return true;
    }
    if (isNone) return this.put({ is: "has", feature: inverse(way) });
    // "X uses", "X's users": what stands before it is its subject, and what is asked for its object.
    const all = this.names.splice(0);
    // "that nobody uses"; a relation to nothing that is said is not understood.
    if (all.length === 0) return this.isNegated && this.put({ is: "has", feature: way });
    const of = all.map((cue) => along({ way: isNoun ? way : inverse(way), ...near }, nameOf(cue).set));
    const joining = cues.slice(0, i).filter((cue) => is(cue, "or", "both", "possessive"));
    return this.put(joined(hasCue(joining, "or") ? "any" : "all", of), ...all, ...joining);
  }

  /** "X and Y", "X but not Y", "neither X nor Y". */
  private readNames(reach: Reach, start: number): boolean {
    const { cues } = this;
    let i = start;
    let isWithout = false;
    const some: Condition[] = [];
    for (; i < cues.length; i++) {
      const cue = cues[i] as Cue;
      if (is(cue, "name")) {
        const one = along(isWithout ? { way: reach.way, depth: reach.depth } : reach, nameOf(cue).set);
        some.push(isWithout ? not(one) : one);
        isWithout = isWithout && is(cues[start], "not");
      } else if (is(cue, "and", "or", "comma", "not", "both", "a") && this.leadsToName(i + 1))
        isWithout ||= is(cue, "not");
      else if (!is(cue, "in") || !is(cues[i - 1], "not", "and", "or")) break;
      this.take(cue);
    }
    this.at = i - 1;
    return this.put(joined(hasCue(cues.slice(start, i), "or") ? "any" : "all", some));
  }

  /** Whether a name follows, and no relation of its own behind it. */
  private leadsToName(from: number): boolean {
    const at = this.cues.findIndex((cue, i) => i >= from && !is(cue, "not", "and", "in", "both", "a"));
    return is(this.cues[at], "name") && !is(this.cues[at + 1], "relation");
  }

  /** An owner, a tag, a schema or a way to build: the words beside it say which. */
  private readValue(cue: Cue): boolean {
    const [before, next] = [this.cues[this.at - 1], this.cues[this.at + 1]];
    // "in finance tagged pii": what stands behind may be said of the next value.
    const said = new Set([saidBy(before), is(next, "tagged", "made") ? undefined : saidBy(next)]);
    const asked = VALUED.find((each) => said.has(each));
    const values = cue.words.filter((word) => word.is === "value").map((word) => word.where);
    const fitting = values.filter((each) => each.is === asked);
    const isOpen = fitting.length === 0 && (asked === undefined || asked === "materialization");
    const [first, ...others] = isOpen ? values : fitting;
    if (first === undefined) return false;
    // "what does the X team own"
    const behind = [before, next].some((each) => as(each, "part")?.group === "owner")
      ? this.cues[this.at + 2]
      : undefined;
    const isSaid = (each: Cue | undefined): boolean =>
      is(each, "tagged", "own", "made", "connector") || (asked !== undefined && as(each, "part")?.group === asked);
    this.take(...[before, next, behind].filter(isSaid));
    const where = others.reduce(anyOf, first);
    const last = this.where.at(-1);
    const other = last?.is === "not" ? last.of : last;
    const isOnce = where.is === "schema" || where.is === "owner" || where.is === "materialization";
    // "in raw and staging": an asset is in one schema, and has one owner.
    if (!isOnce || !is(before, "and", "comma") || other?.is !== where.is || this.isNegated) return this.put(where);
    const all = { ...other, any: [...other.any, ...where.any] } as Condition;
    this.where.splice(-1, 1, other === last ? all : not(all));
    return true;
  }

  /** "more than three columns" of what the subject has: as many as a comparison says, or just so many. */
  private readAmount(cue: Cue): boolean {
    const bound = as(cue, "compare")?.bound;
    const [number, what] = this.cues.slice(this.at + (bound === undefined ? 0 : 1));
    const [amount, of] = [as(number, "number")?.amount, measureOf(what)];
    if (amount === undefined || of === undefined) return false;
    return this.put({ is: "measure", of, ...(bound?.(amount) ?? { least: amount, most: amount }) }, number, what);
  }

  /** A name where no relation is said beside it. */
  private readName(cue: Cue, at: number): boolean {
    const [lead, before, next] = [this.cues[at - 2], this.cues[at - 1], this.cues[at + 1]];
    const { set } = nameOf(cue);
    const table = isOf(this.subject, "column") ? tableOf(cue) : null;
    // Which columns one table has and another has not is told by their names: a comparison does that.
    if (table !== null && !this.isNegated && (is(before, "in") || !is(next, "relation"))) {
      // No column is one of two tables: what both have is not asked in this form.
      const isSecond = this.where.some((each) => each.is === "along" && each.along.way === "columns");
      return !isSecond && this.put({ is: "along", along: { way: "columns", of: table } });
    }
    const isHeld = [lead, before, next].some((each) => is(each, "with", "without", "named")) || /_/.test(cue.text);
    const isColumn = isOf(this.subject, "table", "model") && isOf(set, "column") && isHeld;
    // "tables with a customer_id"
    if (isColumn && !is(next, "relation")) return this.put({ is: "along", along: { way: "parents", of: set } });
    this.names.push(cue);
    return false;
  }

  private readType(cue: Cue, set: Things, before: Cue | undefined, next: Cue | undefined): boolean {
    const { subject, lastType } = this;
    const isAgain = is(before, "or", "and", "comma") && this.cues[this.at - 2] === lastType;
    const isOwn = isOf(set, "column") && !is(next, "with", "in", "adjective", "name", "value", "unknown");
    const relation = as(next, "relation");
    // "models that no dashboard uses"
    if (relation && subject && (this.isNegated || cue.text.endsWith("s")) && !hasObject(this.cues, this.at + 2))
      return this.put(along({ way: inverse(relation.way), depth: relation.depth }, set), next);
    if (subject === undefined) [this.subject, this.lastType] = [set, cue];
    else if (isAgain && subject.where === undefined && set.where === undefined) {
      const types = [...new Set([...(subject.types ?? []), ...(set.types ?? [])])];
      [this.subject, this.lastType] = [{ ...subject, types }, cue];
      this.take(before);
    } else if (isColumnType(cue) && is(next, "named") && is(this.cues[this.at + 2], "name")) this.take(next);
    else
      return isOwn && (this.isNegated || is(before, "with", "without")) && this.put({ is: "has", feature: "columns" });
    return true;
  }
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

function isAbout(cue: Cue | undefined, kind: Condition["is"]): boolean {
  return as(cue, "adjective")?.where.is === kind;
}

/** Columns have neither a kind nor a materialization nor a layer: those of their tables are meant. */
function ofColumns(where: Condition): Condition {
  const isLayer = where.is === "name part" && where.any.every((each) => LAYERS.has(each));
  const isOfTable = where.is === "kind" || where.is === "materialization" || isLayer;
  return isOfTable ? { is: "along", along: { way: "columns", of: { types: ["table", "model"], where } } } : where;
}
