/** Reads a set of assets: one pass from left to right makes each cue a condition. What it cannot place stays unused. */
import { type Condition, only, type Things } from "../plan.ts";
import { LAYER_BEGINNINGS } from "../names/words.ts";
import {
  along,
  as,
  type Cue,
  hasCue,
  hasObject,
  inverse,
  is,
  isColumnType,
  joined,
  nameOf,
  type Reach,
} from "./cue.ts";
import { tableOf } from "./join-cues.ts";
import { type SetRead, SetState } from "./set-state.ts";
import { readRelation } from "./relations.ts";
import { readAmount, readText, readValue } from "./values.ts";

const LAYERS = new Set([...LAYER_BEGINNINGS.values()].flat());
const hasTypes = (set: Things | undefined, ...types: string[]): boolean =>
  set?.types?.every((type) => types.includes(type)) ?? false;

export function isColumns(set: Things | undefined): boolean {
  return hasTypes(set, "column");
}

export class SetReader extends SetState {
  private isEvery = false;
  private lastType: Cue | undefined;
  /** A noun for neighbours that waits for its name. */
  private waiting: { reach: Reach; cue: Cue } | undefined;

  read(): SetRead {
    for (; this.at < this.cues.length; this.at++) {
      const cue = this.cues[this.at] as Cue;
      if (this.used.has(cue)) continue;
      if (this.isInner && is(cue, "and", "comma") && (this.subject !== undefined || this.where.length > 0)) break;
      this.readCue(cue);
    }
    // "not" before nothing was not understood.
    if (this.isNegated)
      for (const cue of this.cues.slice(this.from, this.at))
        if (is(cue, "not", "without", "except")) this.used.delete(cue);
    this.settleNames();
    const { subject = {}, where, names, isEvery, at: end } = this;
    return { set: subject, where: isColumns(subject) ? where.map(ofColumns) : where, names, isEvery, end };
  }

  override readInner(at: number): SetRead {
    return new SetReader(this.cues, this.used, at).read();
  }

  private readCue(cue: Cue): void {
    const { before, next, subject } = this;
    const [relation, part, type] = [as(cue, "relation"), as(cue, "part"), as(cue, "type")];
    const adjective = as(cue, "adjective")?.where;
    const isHad = this.isNegated || is(before, "with", "without");
    const isOwned = (): boolean => !hasCue(this.isNegated && next ? [next] : this.cues, "who", "value");
    if (is(cue, "every")) this.isEvery = true;
    else if (is(cue, "without", "not", "except", "outside")) this.isNegated = !this.isNegated;
    else if (is(cue, "or", "and")) return this.readJoin(cue, next);
    else if (is(cue, "name") && (type === undefined || subject !== undefined)) return this.readName(cue, this.at);
    else if (is(cue, "tagged") && is(next, "unknown")) this.put({ is: "tag", any: [next?.text ?? ""] }, next);
    else if (is(cue, "value")) return readValue(this, cue);
    else if (is(cue, "own") && subject && isOwned()) this.put({ is: "has", feature: "owner" });
    else if (is(cue, "compare") || (is(cue, "number") && is(before, "with"))) return readAmount(this, cue);
    else if (relation !== undefined && adjective === undefined) return readRelation(this, relation);
    else if (type !== undefined) return this.readType(cue, type.set);
    else if (adjective !== undefined) this.put(adjective);
    else if (is(cue, "check")) {
      const nouns = this.cues.filter((each) => as(each, "part")?.aspect === "checks" || isAbout(each, "has"));
      this.put({ is: "checked by", any: as(cue, "check")?.any ?? [] }, ...nouns);
    } else if (part?.aspect === "data type" && is(next, "unknown", "adjective", "value"))
      this.put({ is: "data type", any: [next?.text ?? ""] }, next);
    else if (is(cue, "unknown") && cue.text.includes("_") && as(next, "part")?.aspect === "checks")
      this.put({ is: "checked by", any: [cue.text] }, next);
    else if (part?.aspect === "certification" && isAbout(next, "certification")) this.take(cue);
    else if (part?.way !== undefined && part.way !== "both" && !isHad)
      this.waiting = { reach: { way: part.way, depth: part.depth, isLoose: part.isLoose }, cue };
    else if (part?.feature !== undefined && isHad) this.put({ is: "has", feature: part.feature });
    else if (is(cue, "between")) return this.readBetween(cue);
    else return readText(this, cue);
    this.take(cue);
  }

  /** "or" and "and": the other end of it is the next condition; "without A or B" is none of them. */
  private readJoin(cue: Cue, next: Cue | undefined): void {
    const isNoun = as(next, "part")?.feature !== undefined || isColumnType(next) || is(next, "value", "adjective");
    const lead = this.cues[this.at - 2];
    // "without an owner and description": the word reaches over "and", as "no" does not surely.
    const reaches = this.wasNegated && isNoun && is(lead, "without") && !/\bno\b/i.test(lead?.text ?? "");
    const isOfTypes = this.lastType === this.before && is(next, "type");
    if (is(cue, "or") ? this.where.length === 0 || this.isNegated || isOfTypes : !reaches || is(next, "value")) return;
    if (this.wasNegated && isNoun) this.isNegated = true;
    else this.isEither = true;
    this.take(cue);
  }

  /** A name where no relation is said beside it. */
  private readName(cue: Cue, at: number): void {
    const [lead, before, next] = [this.cues[at - 2], this.cues[at - 1], this.cues[at + 1]];
    const { set } = nameOf(cue);
    // Which columns one table has and another has not is told by their names: a comparison does that.
    const table = isColumns(this.subject) ? tableOf(cue) : null;
    const isHeld = [lead, before, next].some((each) => is(each, "with", "without", "named"));
    const isColumn = hasTypes(this.subject, "table", "model") && isColumns(set);
    if (table !== null && !this.isNegated && (is(before, "in") || !is(next, "relation"))) {
      // No column is one of two tables: what both have is not asked in this form.
      if (!this.where.some((each) => each.is === "along" && each.along.way === "columns") || this.isEither)
        this.put({ is: "along", along: { way: "columns", of: table } }, cue);
    } else if (table === null && this.isNegated && is(before, "except")) this.put({ is: "among", things: set }, cue);
    // "tables with a customer_id"
    else if (
      isColumn &&
      !is(before, "relation") &&
      !is(next, "relation", "like") &&
      (isHeld || cue.isTyped || /_/.test(cue.text))
    )
      this.put({ is: "along", along: { way: "parents", of: set } }, cue);
    else this.names.push(cue);
  }

  private readType(cue: Cue, set: Things): void {
    const { before, next, subject, lastType } = this;
    const isAgain = is(before, "or", "and", "comma") && lastType !== undefined && this.cues[this.at - 2] === lastType;
    const isOwn = isColumns(set) && !is(next, "with", "like", "in", "adjective", "name", "value", "unknown");
    const isTables = /^tables?$/i.test(cue.text) && !is(before, "relation", "in", "or") && !is(next, "relation");
    const relation = as(next, "relation");
    // "models that no dashboard uses"
    if (relation && subject && (this.isNegated || cue.text.endsWith("s")) && !hasObject(this.cues, this.at + 2)) {
      this.put(along({ way: inverse(relation.way), depth: relation.depth }, set), next);
      this.at += 1;
    }
    // "what feeds X except seeds"
    else if (this.isNegated && is(before, "except")) this.put({ is: "among", things: set });
    else if (subject === undefined) [this.subject, this.lastType] = [set, cue];
    // "without anything upstream"
    else if (Object.keys(set).length === 0 && as(next, "part")?.way !== undefined) this.take(cue);
    // "models that are tables"
    else if (isTables && (subject.types?.join() ?? "model") === "model")
      this.put({ is: "materialization", any: ["table"] });
    else if (isAgain && isJoinable(subject, set))
      [this.subject, this.lastType] = [
        { ...subject, types: [...new Set([...(subject.types ?? []), ...(set.types ?? [])])] },
        cue,
      ];
    else if (isAgain) return;
    else if (isColumns(subject) && (is(before, "in") || is(next, "with"))) {
      const inner = this.readInner(this.at);
      this.put({ is: "along", along: { way: "columns", of: only(inner.set, ...inner.where) } });
      this.at = inner.end - 1;
    } else if (isColumns(set) && is(next, "named") && is(this.cues[this.at + 2], "name")) this.take(next);
    else if (isOwn && (this.isNegated || is(before, "with", "without"))) this.put({ is: "has", feature: "columns" });
    else return;
    this.take(cue, is(before, "or") ? before : undefined);
  }

  private readBetween(cue: Cue): void {
    const [a, and, b] = this.cues.slice(this.at + 1);
    if (!a || !b || !is(a, "name") || !is(and, "and") || !is(b, "name")) return;
    this.put(along({ way: "downstream" }, nameOf(a).set), cue, a, and, b);
    this.put(along({ way: "upstream" }, nameOf(b).set));
  }

  /** Names and nouns for neighbours that are left: "the users of X", "do X and Y share a source". */
  private settleNames(): void {
    const shared = this.cues.slice(this.from, this.at).filter((cue) => is(cue, "common"));
    const isShared =
      shared.length > 0 && this.names.length > 1 && hasTypes(this.subject ?? { types: [] }, "table", "model");
    const reach = this.waiting?.reach ?? (isShared ? { way: "upstream" as const } : undefined);
    if (reach !== undefined && this.names.length > 0) {
      const names = this.names.splice(0);
      const possessive = this.cues.filter((cue) => is(cue, "possessive"));
      this.put(
        joined(
          "all",
          names.map((cue) => along(reach, nameOf(cue).set)),
        ),
        ...names,
        ...shared,
        ...possessive,
      );
    } else if (this.waiting !== undefined) this.used.delete(this.waiting.cue);
    // "customer_id: which tables have it": a name may stand before its type.
    for (const cue of this.names.splice(0)) this.readName(cue, this.cues.indexOf(cue));
  }
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

/** Whether two types make one set: "seeds and models" do not, since seeds are some of the tables. */
function isJoinable(subject: Things, { types, where }: Things): boolean {
  const isWithin = types?.every((type) => subject.types?.includes(type)) ?? false;
  return subject.where === undefined && (where === undefined || isWithin);
}
