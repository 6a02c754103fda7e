/** Prints the rules of risk as a table for people, from the same rules that the code applies, in the same order. */
import { EFFECTS, EVIDENCE_KINDS, RISK_RULES } from "./impact.ts";

/** A table in Markdown with one row for each rule. */
export function printRiskRules(): string {
  const rows = RISK_RULES.map(({ effect, path, affected, risk, because }) => [
    inCode(effect, EFFECTS),
    inCode(path, EVIDENCE_KINDS),
    affected,
    `**${risk}**`,
    because,
  ]);
  return ["| the change | the path is | what is affected | risk | because |", "|---|---|---|---|---|"]
    .concat(rows.map((cells) => `| ${cells.join(" | ")} |`))
    .join("\n");
}

function inCode(words: readonly string[], all: readonly string[]): string {
  return words.length === all.length ? "anything" : words.map((word) => `\`${word}\``).join(", ");
}
