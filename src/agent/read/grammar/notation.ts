/**
 * The notation of grammar rules: categories with a space between them. `(a|b)` is one of several, `[a|b]` one of several or
 * nothing. Words of grammar are lower case; every category that begins with a capital letter hands its meaning on, in order,
 * and stands outside of brackets.
 */
import type { Rule } from "../chart.ts";
import type { Meanings } from "./meanings.ts";

type Outside<S extends string> = S extends `${infer A}(${string})${infer B}`
  ? Outside<`${A}${B}`>
  : S extends `${infer A}[${string}]${infer B}`
    ? Outside<`${A}${B}`>
    : S;
type Captures<S extends string> = S extends `${infer First} ${infer Rest}`
  ? [...Captures<First>, ...Captures<Rest>]
  : S extends keyof Meanings
    ? [Meanings[S]]
    : [];

export type Make<C extends keyof Meanings, S extends string> = (
  ...meanings: Captures<Outside<S>>
) => Meanings[C] | null | undefined;

/** Collects rules for one category. */
export function rulesFor<C extends keyof Meanings>(
  to: C,
): { rules: Rule[]; rule: <const S extends string>(pattern: S, make: Make<C, S>, cost?: number) => void } {
  const rules: Rule[] = [];
  return {
    rules,
    rule(pattern, make, cost = 0) {
      for (const parts of expand(pattern)) {
        const given = parts.flatMap((part, at) => (/^[A-Z]/.test(part) ? [at] : []));
        const call = make as (...meanings: unknown[]) => unknown;
        rules.push({ to, parts, cost, make: (...all: unknown[]) => call(...given.map((at) => all[at])) ?? null });
      }
    },
  };
}

/** Every sequence of categories, or of words, that a pattern stands for. */
export function expand(pattern: string): string[][] {
  const pieces = pattern.match(/\([^)]*\)|\[[^\]]*\]|[^\s()[\]]+/g) ?? [];
  return pieces.reduce<string[][]>(
    (all, piece) => {
      const inside = piece.slice(1, -1).split("|");
      const choices = piece.startsWith("(") ? inside : piece.startsWith("[") ? [...inside, ""] : [piece];
      return all.flatMap((parts) => choices.map((choice) => parts.concat(choice.split(" ").filter(Boolean))));
    },
    [[]],
  );
}
