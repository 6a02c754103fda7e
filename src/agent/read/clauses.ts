/** What a clause is for that asks nothing by itself. */
import type { Plan } from "../plan.ts";
import { as, type Cue, is, hasCue } from "./cue.ts";

/** Cues of a clause that asks. */
const ASKING = ["what", "how many", "why", "whether", "about"] as const;
/** Cues that ask at the beginning of a clause: "the person who left" asks nothing. */
const ASKING_FIRST = ["how", "who", "when", "where"] as const;
/** Cues of what restricts what is asked, so that it may not be left out. */
const RESTRICTING = ["value", "adjective", "except", "outside", "without", "compare"] as const;
/** Cues that restrict what is asked where every word is known, or where no more than a comma stands behind them. */
const PLAIN = ["part", "type", "number", "only", "most"] as const;

interface Clause {
  plans: readonly Plan[];
  cues: readonly Cue[];
}

/** Whether a clause only says why something is asked, or what is spoken of: "We changed fct_orders.", "fct_orders:". */
export function isTalk({ plans, cues }: Clause, mark: string): boolean {
  if (mark === "–") return !hasCue(cues, "name", "type");
  if (plans.some((plan) => plan.tell !== "aspect" || plan.aspect !== "everything")) return false;
  if (hasCue(cues, ...ASKING, ...RESTRICTING) || is(cues[0], ...ASKING_FIRST)) return false;
  const isUnclear = hasCue(cues, "unknown");
  const isMany = cues.some((cue) => as(cue, "type") !== undefined && (/^,?$/.test(mark) || cue.text.endsWith("s")));
  return namesOf(cues).length <= 1 && !isMany && (isUnclear || !hasCue(cues, ...PLAIN));
}

/** Words that are meant as names: in a clause with unknown words, one word may be a column's name by accident. */
function namesOf(cues: readonly Cue[]): Cue[] {
  const isUnclear = hasCue(cues, "unknown");
  return cues.filter(
    (cue) =>
      is(cue, "name") &&
      !(isUnclear && /^\p{L}+$/u.test(cue.text) && as(cue, "name")?.things.every(({ type }) => type === "column")),
  );
}

/** Whether plans are about all that a clause names. */
export function usesName(plans: readonly Plan[], cues: readonly Cue[]): boolean {
  const json = JSON.stringify(plans);
  return namesOf(cues).every((cue) => {
    const named = as(cue, "name");
    return named?.things.some(({ id }) => json.includes(id)) || json.includes(JSON.stringify(named?.set).slice(1, -1));
  });
}

/** Cues that say how something is to be told. */
const OF_FORM: ReadonlySet<string> = new Set([
  "how many",
  ..."if hops what only number every it exist fine with in and comma a type".split(" "),
]);

function isOfForm(cue: Cue): boolean {
  return /^names$/i.test(cue.text) || (!is(cue, "name") && cue.words.some((word) => OF_FORM.has(word.is)));
}

/**
 * "just the names", "and how many are that", "models only": says in what form the answer should be.
 * @returns the plans with the types that it names; null if it asks for more
 */
export function asksOnlyForm(cues: readonly Cue[], plans: readonly Plan[]): Plan[] | null {
  if (!cues.every(isOfForm)) return null;
  const types = cues.flatMap((cue) => as(cue, "type")?.set ?? []);
  const [type, ...others] = types;
  const [plan] = plans;
  // "include dashboards": what a change affects is told in any case.
  const isTold = plans.every(({ tell }) => tell === "impact");
  if (type === undefined || Object.keys(type).length === 0 || isTold) return [...plans];
  if (others.length > 0 || plan === undefined || plans.length > 1 || !("find" in plan)) return null;
  if (JSON.stringify(plan.find.types) === JSON.stringify(type.types)) return [plan];
  if (plan.find.types !== undefined || plan.find.ids !== undefined) return null;
  return hasCue(cues, "only") ? [{ ...plan, find: { ...plan.find, ...type } }] : null;
}

/**
 * "(direct parents)", "i.e. the one with the most columns": asks the same again.
 * @returns the plan that says how far is meant; null if they differ in more
 */
export function sameAgain(first: readonly Plan[], second: readonly Plan[]): Plan[] | null {
  const [one, two] = [first, second].map((plans) =>
    JSON.stringify(plans, (key, value: unknown) => (/^(?:depth|isLoose|limit)$/.test(key) ? undefined : value)),
  );
  if (one !== two || first.length === 0) return null;
  return JSON.stringify(second).includes('"depth"') && !JSON.stringify(second).includes('"isLoose"')
    ? [...second]
    : [...first];
}
