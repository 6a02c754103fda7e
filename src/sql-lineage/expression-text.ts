/** Writes expressions back as SQL, in one layout and without comments. */
import { generate } from "@polyglot-sql/sdk";

import type { SqlDialect } from "./dialect.ts";
import type { JoinCondition, Step } from "./lineage.ts";
import type { Expression } from "./syntax.ts";

const MAX_CHARACTERS = 300;
const COMMENTS = /^(?:(?:leading|trailing|pre_alias)_)?comments$/;

function withoutComments(key: string, value: unknown): unknown {
  return COMMENTS.test(key) ? [] : value;
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= MAX_CHARACTERS ? line : `${line.slice(0, MAX_CHARACTERS - 1)}…`;
}

/** Returns the SQL of each step. All are written in one call, because each call into the parser is slow. */
export function writeSteps(steps: Iterable<Step>, { parser }: SqlDialect): Map<Step, string> {
  const all = new Set(steps);
  const texts = new Map<Step, string>([...all].filter((step) => typeof step === "string").map((step) => [step, step]));
  const others = [...all].filter((step): step is Expression | JoinCondition => typeof step !== "string");
  if (others.length === 0) return texts;
  const expressions = others.map((step) => ("joinCondition" in step ? step.joinCondition : step));
  const { sql } = generate(JSON.parse(JSON.stringify(expressions, withoutComments)), parser);
  for (const [i, step] of others.entries()) {
    const text = shortened(sql?.[i] ?? "");
    texts.set(step, "joinCondition" in step ? `${text} (${step.kind})` : text);
  }
  return texts;
}
