/** Reads a relation by lineage, with what it is a relation to. */
import { type Condition, not, only } from "../plan.ts";
import {
  along,
  as,
  type Cue,
  hasCue,
  hasObject,
  inverse,
  is,
  joined,
  type Kind,
  nameOf,
  type Reach,
  type WordOf,
} from "./cue.ts";
import type { SetState } from "./set-state.ts";
import { boundsOf } from "./values.ts";

export function readRelation(s: SetState, relation: WordOf<"relation">): void {
  const { cues, at: start } = s;
  const { way, depth } = relation;
  const reach: Reach = { way, depth, isLoose: relation.isLoose === true && !s.isInner && !s.isNegated };
  let i = start + 1;
  const skip = (...kinds: Kind[]): void => {
    while (is(cues[i], ...kinds)) s.take(cues[i++]);
  };
  const isOnly = (): boolean => is(cues[i], "every") && is(cues[i + 1], "name", "in");
  s.take(cues[start]);
  skip("in", "both", "a");
  // "all of X"; what lies along every one of several is no set of this form.
  if (isOnly()) skip("every", "in");
  const isBehind = s.subject !== undefined && s.names.length > 0 && is(cues[start - 1], "name");
  const isAsked = is(cues[i], "what") && is(cues[i + 1], "type") && s.subject === undefined;
  // "that X loads are not tagged": what follows is said of the subject.
  if (isAsked || (isBehind && !is(cues[i], "name", "type"))) return finishInverted(s, reach, i);
  const isNone = is(cues[i], "not") && !is(cues[i + 1], "name") && !is(cues[i + 1], "relation");
  if (isNone) {
    s.take(cues[i++]);
    s.isNegated = !s.isNegated;
    reach.isLoose = false;
  }
  const compare = as(cues[i], "compare");
  const place = compare === undefined ? i : i + 1;
  const [amount, among] = [as(cues[place], "number")?.amount, as(cues[place + 1], "type")?.set];
  if (amount !== undefined && (compare !== undefined || among !== undefined)) {
    // "used by more than two models", "used by only one model"
    const set = among === undefined || Object.keys(among).length === 0 ? {} : { among };
    s.put(
      { is: "measure", of: inverse(way), ...set, ...boundsOf(compare?.bound, amount) },
      ...cues.slice(i, place + (among ? 2 : 1)),
    );
    s.take(...cues.filter((cue) => is(cue, "only")));
    s.at = among === undefined ? place : place + 1;
  } else if (is(cues[i], "name") || leadsToName(cues, i)) s.at = readNames(s, reach, i) - 1;
  else if (hasObject(cues, i)) {
    const inner = s.readInner(i);
    if (is(cues[i], "every")) s.used.delete(cues[i] as Cue);
    const isAnything = Object.keys(inner.set).length === 0 && inner.where.length === 0;
    s.put(isAnything ? { is: "has", feature: inverse(way) } : along(reach, only(inner.set, ...inner.where)));
    s.names.push(...inner.names);
    s.at = inner.end - 1;
  } else if (isNone) {
    s.put({ is: "has", feature: inverse(way) });
    s.at = i - 1;
  } else finishInverted(s, reach, i);
}

/** "X uses": what stands before the relation is its subject, and what is asked for its object. */
function finishInverted(s: SetState, reach: Reach, end: number): void {
  const { cues, at } = s;
  s.at = end - 1;
  if (s.names.length > 0) {
    const isAny = hasCue(cues.slice(0, end), "or");
    const all = s.names.splice(0).map((cue) => {
      s.take(cue);
      return along({ ...reach, way: inverse(reach.way) }, nameOf(cue).set);
    });
    s.put(joined(isAny ? "any" : "all", all), ...cues.slice(0, end).filter((cue) => is(cue, "or", "common")));
    // "that nobody uses"; a relation to nothing that is said is not understood.
  } else if (s.isNegated) s.put({ is: "has", feature: reach.way });
  else s.used.delete(cues[at] as Cue);
}

/** "X and Y", "X but not Y", "neither X nor Y". */
function readNames(s: SetState, reach: Reach, start: number): number {
  const { cues } = s;
  let i = start;
  let isWithout = false;
  const some: Condition[] = [];
  for (; i < cues.length; i++) {
    const cue = cues[i] as Cue;
    if (is(cue, "name")) {
      const one = along(isWithout && reach.isLoose ? { way: reach.way, depth: 1 } : reach, nameOf(cue).set);
      some.push(isWithout ? not(one) : one);
      isWithout = isWithout && is(cues[start], "not");
    } else if (is(cue, "and", "or", "comma", "not", "both", "except", "a") && leadsToName(cues, i + 1))
      isWithout ||= is(cue, "not", "except");
    else if (is(cue, "in") && is(cues[i - 1], "not", "and", "or") && is(cues[i + 1], "name")) continue;
    else break;
    s.take(cue);
  }
  const isAny = hasCue(cues.slice(start, i), "or");
  if (s.isNegated && isAny) {
    // "does not use X or Y": neither.
    s.isNegated = false;
    for (const one of some) s.put(not(one));
  } else s.put(joined(isAny ? "any" : "all", some));
  return i;
}

/** Whether a name follows, and no relation of its own behind it. */
function leadsToName(cues: readonly Cue[], from: number): boolean {
  const at = cues.findIndex((cue, i) => i >= from && !is(cue, "not", "and", "in", "both", "a"));
  return is(cues[at], "name") && !(is(cues[at + 1], "relation") && !is(cues[at + 1], "adjective"));
}
