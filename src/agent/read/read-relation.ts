/** Reads a relation by lineage, with what it is a relation to. */
import { type Condition, not } from "../plan.ts";
import { as, type Cue, is, type Relation, type WordOf } from "./cue.ts";
import { along, hasObject, inverse, type Reach, type SetState, withConditions } from "./set-state.ts";

/** A relation, with what it is a relation to. */
export function readRelation(s: SetState, relation: Relation, index: number): number {
  s.take(s.cues[index]);
  const steps = stepsBefore(s, index);
  const reachOf: Reach = {
    way: relation.way,
    depth: steps ?? relation.depth,
    isLoose: relation.isLoose === true && !s.isInner,
  };
  if (is(s.cues[index - 1], "direct")) [reachOf.depth, reachOf.isLoose] = [1, false];
  if (is(s.cues[index - 1], "far")) reachOf.isLoose = false;
  s.take(...[s.cues[index - 1]].filter((each) => is(each, "direct", "far")));
  let i = index + 1;
  const skip = (...kinds: Parameters<typeof is>[1][]): void => {
    while (i < s.to && is(s.cues[i], ...kinds)) {
      if (is(s.cues[i], "direct")) [reachOf.depth, reachOf.isLoose] = [1, false];
      if (is(s.cues[i], "far")) reachOf.isLoose = false;
      s.take(s.cues[i++]);
    }
  };
  skip("in", "both", "every", "direct", "far", "a");
  if (s.isNegated) reachOf.isLoose = false;
  const last = (): number => {
    if (is(s.cues[i], "comma") && is(s.cues[i + 1], "direct", "far")) i++;
    if (is(s.cues[i], "direct", "far")) skip("direct", "far");
    readStepsBehind();
    return i - 1;
  };
  // "that X loads are not tagged": what follows is said of the subject.
  if (s.subject !== undefined && s.names.length > 0 && is(s.cues[index - 1], "name") && !is(s.cues[i], "name", "type"))
    return finishInverted(s, reachOf, i, index);
  const isNone = is(s.cues[i], "not") && !is(s.cues[i + 1], "name") && !is(s.cues[i + 1], "relation");
  if (isNone) {
    s.take(s.cues[i++]);
    s.isNegated = !s.isNegated;
    reachOf.isLoose = false;
  }
  const bounded = as(is(s.cues[i], "compare") ? s.cues[i + 1] : undefined, "number");
  if (bounded !== undefined) {
    const among = as(s.cues[i + 2], "type");
    s.take(s.cues[i], s.cues[i + 1], ...(among === undefined ? [] : [s.cues[i + 2]]));
    const bound = as(s.cues[i], "compare")?.bound(bounded.amount);
    const set = among === undefined || Object.keys(among.set).length === 0 ? undefined : among.set;
    s.put({ is: "measure", of: inverse(reachOf.way), ...(set && { among: set }), ...bound });
    i += among === undefined ? 2 : 3;
    return i - 1;
  }
  if (is(s.cues[i], "what") && is(s.cues[i + 1], "type") && s.subject === undefined)
    return finishInverted(s, reachOf, i, index);
  if (is(s.cues[i], "name", "not") && hasName(s, i)) {
    i = readNames(s, reachOf, i);
    const end = last();
    restate();
    return end;
  }
  if (hasObject(s, i)) {
    const inner = s.readInner(i);
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

  /** "within one hop", behind the names. */
  function readStepsBehind(): void {
    const [into, number, hops] = is(s.cues[i], "in", "compare")
      ? s.cues.slice(i, i + 3)
      : [undefined, ...s.cues.slice(i, i + 2)];
    const amount = as(number, "number")?.amount;
    if (amount === undefined || !is(hops, "hops")) return;
    s.take(into, number, hops);
    [reachOf.depth, reachOf.isLoose] = [amount, false];
    i += into === undefined ? 2 : 3;
  }

  /** Says the reach of the last condition anew, where "directly" stands behind the names. */
  function restate(): void {
    const condition = s.where.at(-1);
    if (condition !== undefined) s.where.splice(-1, 1, again(condition));
  }

  function again(condition: Condition): Condition {
    if (condition.is === "not") return not(again(condition.of));
    if (condition.is === "all" || condition.is === "any") return { ...condition, of: condition.of.map(again) };
    return condition.is === "along" ? along(reachOf, condition.along.of) : condition;
  }
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
  const isAny = s.cues.slice(0, i).some((cue) => is(cue, "or"));
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
  for (; i < s.to; i++) {
    const cue = s.cues[i];
    const name = as(cue, "name");
    if (name !== undefined) {
      s.take(cue);
      const one = along({ ...reachOf, isLoose: isWithout ? false : reachOf.isLoose }, name.set);
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
  while (i < s.to && is(s.cues[i], "not", "and", "in", "both", "a")) i++;
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

/** "two hops" before a relation. */
function stepsBefore(s: SetState, index: number): number | undefined {
  let i = index - 1;
  while (is(s.cues[i], "in", "direct", "far", "a")) i--;
  if (!is(s.cues[i], "hops")) return undefined;
  const number = as(s.cues[i - 1], "number");
  if (number === undefined) return undefined;
  s.take(s.cues[i], s.cues[i - 1], ...[s.cues[i - 2]].filter((each) => is(each, "compare")));
  return number.amount;
}
