/** Reads a relation by lineage, with what it is a relation to. */
import { type Condition, not } from "../plan.ts";
import { as, type Cue, is, type Relation, type WordOf, hasCue } from "./cue.ts";
import { along, hasObject, inverse, type Reach, type SetState, withConditions } from "./set-state.ts";

/** A relation, with what it is a relation to. */
export function readRelation(s: SetState, relation: Relation, index: number): number {
  s.take(s.cues[index]);
  const reachOf: Reach = {
    way: relation.way,
    depth: relation.depth,
    isLoose: relation.isLoose === true && !s.isInner && !s.isNegated,
  };
  let i = index + 1;
  const skip = (...kinds: Parameters<typeof is>[1][]): void => {
    while (is(s.cues[i], ...kinds)) s.take(s.cues[i++]);
  };
  skip("in", "both", "a");
  // "all of X"; what lies along every one of several is no set of this form.
  if (is(s.cues[i], "every") && is(s.cues[i + 1], "name", "in")) skip("every", "in");
  // "that X loads are not tagged": what follows is said of the subject.
  if (s.subject !== undefined && s.names.length > 0 && is(s.cues[index - 1], "name") && !is(s.cues[i], "name", "type"))
    return finishInverted(s, reachOf, i, index);
  const isNone = is(s.cues[i], "not") && !is(s.cues[i + 1], "name") && !is(s.cues[i + 1], "relation");
  if (isNone) {
    s.take(s.cues[i++]);
    s.isNegated = !s.isNegated;
    reachOf.isLoose = false;
  }
  const compare = as(s.cues[i], "compare");
  const place = compare === undefined ? i : i + 1;
  const amount = as(s.cues[place], "number")?.amount;
  const among = as(s.cues[place + 1], "type");
  // "used by more than two models", "used by only one model"
  if (amount !== undefined && (compare !== undefined || among !== undefined)) {
    s.take(...s.cues.slice(i, place + (among === undefined ? 1 : 2)), ...s.cues.filter((cue) => is(cue, "only")));
    const bound = (compare?.bound ?? ((n) => ({ least: n, most: n })))(amount);
    const set = among === undefined || Object.keys(among.set).length === 0 ? undefined : among.set;
    s.put({ is: "measure", of: inverse(reachOf.way), ...(set && { among: set }), ...bound });
    return among === undefined ? place : place + 1;
  }
  if (is(s.cues[i], "what") && is(s.cues[i + 1], "type") && s.subject === undefined)
    return finishInverted(s, reachOf, i, index);
  if (is(s.cues[i], "name", "not") && hasName(s, i)) return readNames(s, reachOf, i) - 1;
  if (hasObject(s, i)) {
    const first = s.cues[i];
    const inner = s.readInner(i);
    if (first !== undefined && is(first, "every")) s.used.delete(first);
    i = inner.end;
    if (Object.keys(inner.set).length === 0 && inner.where.length === 0)
      s.put({ is: "has", feature: inverse(reachOf.way) });
    else s.put(along(reachOf, withConditions(inner.set, inner.where)));
    s.names.push(...inner.names);
    return i - 1;
  }
  if (isNone) {
    s.put({ is: "has", feature: reachOf.way === "downstream" ? "upstream" : "downstream" });
    return i - 1;
  }
  return finishInverted(s, reachOf, i, index);
}

/** "X uses": what stands before the relation is its subject, and what is asked for its object. */
function finishInverted(s: SetState, reachOf: Reach, i: number, start: number): number {
  const turned = { ...reachOf, way: inverse(reachOf.way) };
  if (s.names.length === 0) {
    // "that nobody uses"; a relation to nothing that is said is not understood.
    if (s.isNegated) s.put({ is: "has", feature: reachOf.way });
    else s.used.delete(s.cues[start] as Cue);
    return i - 1;
  }
  const isAny = hasCue(s.cues.slice(0, i), "or");
  const all = s.names.map((cue) => along(turned, (as(cue, "name") as WordOf<"name">).set));
  s.take(...s.names, ...s.cues.slice(0, i).filter((cue) => is(cue, "or", "common")));
  s.names = [];
  s.put(all.length === 1 ? (all[0] as Condition) : { is: isAny ? "any" : "all", of: all });
  return i - 1;
}

/** "X and Y", "X but not Y", "neither X nor Y". */
function readNames(s: SetState, reachOf: Reach, start: number): number {
  let i = start;
  let isAny = false;
  let isWithout = false;
  const some: Condition[] = [];
  for (; i < s.cues.length; i++) {
    const cue = s.cues[i];
    const name = as(cue, "name");
    if (name !== undefined) {
      s.take(cue);
      const one = along(isWithout && reachOf.isLoose ? { way: reachOf.way, depth: 1 } : reachOf, name.set);
      some.push(isWithout ? not(one) : one);
      isWithout = isWithout && is(s.cues[start], "not");
    } else if (is(cue, "and", "or", "comma", "not", "both", "except", "a") && leadsToName(s, i + 1)) {
      if (is(cue, "or")) isAny = true;
      if (is(cue, "not", "except")) isWithout = true;
      s.take(cue);
    } else if (!(is(cue, "in") && is(s.cues[i - 1], "not", "and", "or") && is(s.cues[i + 1], "name"))) break;
  }
  if (s.isNegated && isAny) {
    // "does not use X or Y": neither.
    s.isNegated = false;
    for (const one of some) s.put(not(one));
  } else s.put(some.length === 1 ? (some[0] as Condition) : { is: isAny ? "any" : "all", of: some });
  return i;
}

/** Whether a name follows, and no relation of its own behind it. */
function leadsToName(s: SetState, index: number): boolean {
  let i = index;
  while (is(s.cues[i], "not", "and", "in", "both", "a")) i++;
  return is(s.cues[i], "name") && !(is(s.cues[i + 1], "relation") && !is(s.cues[i + 1], "adjective"));
}

function hasName(s: SetState, index: number): boolean {
  return is(s.cues[index], "name") || leadsToName(s, index);
}

/** "between X and Y" */
export function readBetween(s: SetState, index: number): number {
  const [a, and, b] = s.cues.slice(index + 1, index + 4);
  const [one, two] = [as(a, "name"), as(b, "name")];
  if (one === undefined || two === undefined || !is(and, "and")) return index;
  s.take(s.cues[index], a, and, b);
  s.put(along({ way: "downstream" }, one.set));
  s.put(along({ way: "upstream" }, two.set));
  return index + 3;
}
