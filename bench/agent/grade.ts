/** Marks an answer of the agent. */
import type { Answerable, Fqn } from "./question.ts";

/** What was answered, its citations by the names of the nodes they point at. */
export interface Answer {
  text: string;
  /** 0 to 1. */
  confidence: number;
  cited: readonly string[];
}

/** Below it an answer counts as declined. */
const DECLINED_BELOW = 0.2;

export interface Mark {
  right: boolean;
  /** What a right answer would have had: names that it should have cited, facts that it should have stated. */
  missing: string[];
}

export function isDeclined({ confidence }: Answer): boolean {
  return confidence < DECLINED_BELOW;
}

/** Right is an answer that was not declined, cites all that it must, and states every fact. */
export function mark({ cites, states }: Answerable, answer: Answer): Mark {
  const uncited = cites.map(toList).filter((any) => !any.some((fqn) => answer.cited.includes(fqn)));
  const unsaid = states.filter((any) => !any.some((phrase) => says(answer.text, phrase)));
  const missing = [
    ...uncited.map((any) => `cite ${any.join(" or ")}`),
    ...unsaid.map((any) => `say ${any.join(" or ")}`),
    ...(isDeclined(answer) ? ["answer at all"] : []),
  ];
  return { right: missing.length === 0, missing };
}

/**
 * Whether the text holds the phrase as words of its own, whatever the case and without backticks: `order` is not in
 * `order_count`, nor `13` in `130` or `13.5`, but `2026-03-24` is in `2026-03-24T11:45:00Z`.
 */
export function says(text: string, phrase: string): boolean {
  const tail = /\d$/.test(phrase) ? String.raw`(?!\d|[.,]\d)` : String.raw`(?!\w)`;
  const head = /^\d/.test(phrase) ? String.raw`(?<![\w-]|\d[.,])` : String.raw`(?<!\w)`;
  return new RegExp(head + RegExp.escape(phrase.toLowerCase()) + tail).test(text.replaceAll("`", "").toLowerCase());
}

function toList(cite: Fqn | readonly Fqn[]): readonly Fqn[] {
  return typeof cite === "string" ? [cite] : cite;
}
