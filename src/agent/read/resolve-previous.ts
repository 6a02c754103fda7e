/** What "it" and "them" mean in a plan. */
import { allOf, type Plan, type Things } from "../plan.ts";
import { PREVIOUS } from "./grammar/meanings.ts";

/** "it" is what the plan before was about, with what is said of it besides. */
export function resolvePrevious(plan: Plan, before: Plan | undefined): Plan {
  const set =
    before === undefined ? undefined : "find" in before ? before.find : "to" in before ? before.to : undefined;
  if (set === undefined || before === undefined) return plan;
  if (!JSON.stringify(plan).includes(PREVIOUS)) return ofSameKind(plan, set);
  const change = before.tell === "impact" ? before.change : undefined;
  // The shape stays that of a plan: sets take the place of sets.
  const resolved = replaceSets(plan, set) as Plan;
  return resolved.tell === "impact" && change !== undefined ? { ...resolved, change } : resolved;
}

/** "which feed one model, and which feed none": those of the same kind, where neither a kind nor a name is said. */
function ofSameKind(plan: Plan, { types, where }: Things): Plan {
  if ((plan.tell !== "list" && plan.tell !== "count") || plan.find.types !== undefined || types === undefined)
    return plan;
  if (JSON.stringify(plan.find).includes('"ids"')) return plan;
  const kind = (where?.is === "all" ? where.of : [where]).find((each) => each?.is === "kind");
  return { ...plan, find: { ...plan.find, types, where: allOf(kind, plan.find.where) } };
}

function replaceSets(value: unknown, set: Things): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceSets(item, set));
  if (typeof value !== "object" || value === null) return value;
  const { ids, where, ...rest } = value as Things & Record<string, unknown>;
  if (!Array.isArray(ids) || ids[0] !== PREVIOUS) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaceSets(inner, set)]));
  }
  const both = allOf(set.where, where);
  return { ...set, ...rest, ...(both && { where: both }) };
}
