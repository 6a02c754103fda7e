/**
 * Words that change what a question asks, and that its plans do not show: a rule, or an omission, has dropped them. They are
 * looked for in one place, whichever rules were used, so that no answer leaves one out.
 */
import type { Plan } from "../plan.ts";
import { findEntries } from "./lexicon.ts";

/** "without" and the like take something out; each of them is to stand in a plan. */
const NEGATIONS =
  /^(?:not|no|never|nothing|nobody|none|neither|without|except|excluding|besides|lacks?|lacking|zero|devoid)$/;
/** What a plan has for a negation: a "not", an upper bound, or the reason why something is not so. */
const NEGATED = /"is":"not"|"most":|"aspect":"trail"|"tell":"comparison"|"faults":|"not_null"|"isSafe":true/g;
/** One hop that the question does not speak of is no amount. */
const AMOUNT = /"(limit|least|most|depth)":(\d+)(?!,"isLoose")/g;

/** The plan with what "all" says of its set: of a yes or a no that each of them is so, else nothing more. */
export function settleEvery(plan: Plan): Plan {
  if (!("find" in plan) || plan.find.isEvery === undefined) return plan;
  const { isEvery: _, ...find } = plan.find;
  if (plan.tell !== "whether") return { ...plan, find };
  return plan.where === undefined ? plan : { ...plan, find, all: true };
}

/** @param words of a question that are no part of a name or a date, folded */
export function findLost(words: readonly string[], plans: readonly Plan[]): string[] {
  if (plans.length === 0) return [];
  const json = JSON.stringify(plans);
  const negations = words.filter((word) => NEGATIONS.test(word));
  const shown = new Set([...json.matchAll(AMOUNT)].flatMap(([, of, amount]) => said(of, Number(amount))));
  const lost = words.filter((word) => {
    const amount = numberOf(word);
    return amount !== undefined && !shown.has(amount);
  });
  const isEveryLost = json.includes('"isEvery":true');
  return [
    ...((json.match(NEGATED) ?? []).length < negations.length ? negations : []),
    ...lost,
    ...(isEveryLost ? words.filter((word) => /^(?:all|every|each|everything|both)$/.test(word)) : []),
  ];
}

/** The numbers that people may have said for an amount in a plan: "more than five" is at least six. */
function said(of: string | undefined, amount: number): number[] {
  if (of === "least") return [amount, amount - 1];
  return of === "most" ? [amount, amount + 1] : [amount];
}

/** The number that a word stands for; "one" only says which. */
function numberOf(word: string): number | undefined {
  if (/^\d{1,6}$/.test(word)) return Number(word);
  const numbers = word === "one" ? [] : findEntries(word).filter((entry) => entry.category === "Number");
  return numbers.map(({ meaning }) => Number(meaning))[0];
}
