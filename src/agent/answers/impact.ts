/** What breaks if X is dropped, renamed, changes its type or is deprecated, and who should know. */
import type { CatalogNode } from "../../catalog/asset.ts";
import { type AffectedNode, canChange, type ChangeType, type Impact, type OwnerImpact } from "../../catalog/impact.ts";
import type { Fact } from "../answer.ts";
import { runImpact, viewLineage } from "./actions.ts";
import type { Answerer } from "./ask.ts";
import {
  cite,
  count,
  inTypeOrder,
  joinWords,
  listByType,
  listNames,
  MAX_NAMES,
  named,
  plain,
  profile,
  sayOwnerOf,
  typesInWords,
} from "./words.ts";

/** Owners that one sentence names. */
const MAX_OWNERS = 12;
/** Reasons that are told; the others are counted, and cited. */
const MAX_REASONS = 2;

/** The change that the words ask about; what else would be lost with a table is told as if its columns were. */
export function readChange(template: string, node: Pick<CatalogNode, "type">): ChangeType {
  const asked: ChangeType = /\brenam/.test(template)
    ? "column_rename"
    : /\b(?:deprecat|retir|phase|sunset)/.test(template)
      ? "deprecate"
      : /\btype\b|\bcast\b/.test(template)
        ? "type_change"
        : "column_drop";
  return canChange(node.type, asked) ? asked : "deprecate";
}

const DONE: Readonly<Record<ChangeType, string>> = {
  column_drop: "is dropped",
  column_rename: "is renamed",
  type_change: "changes its type",
  deprecate: "is deprecated",
};

function sayImpact(
  root: CatalogNode,
  { change, summary, truncated, affected }: Impact,
  kept: readonly AffectedNode[],
  what: string,
): Fact {
  const lead = `If ${named(root)} ${DONE[change]}`;
  const first = `the first ${affected.length.toLocaleString("en-US")}, the worst hit first`;
  if (kept.length === 0 && truncated) {
    return {
      text: `${lead}, ${summary.total.toLocaleString("en-US")} assets and columns are affected. There are no ${what} among ${first}; the others were not looked at.`,
      about: [cite(root, profile(root))],
    };
  }
  if (kept.length === 0) {
    return {
      text: `${lead}, no ${what} are affected, as far as the catalog knows.`,
      about: [cite(root, profile(root))],
    };
  }
  const risks = [
    [summary.high, "high"],
    [summary.medium, "medium"],
    [summary.low, "low"],
  ] as const;
  const told = joinWords(
    risks.filter(([amount]) => amount > 0).map(([amount, risk]) => `${amount.toLocaleString("en-US")} at ${risk} risk`),
  );
  const things = kept.filter(({ type }) => type !== "column");
  const shown = things.length > 0 ? things : kept;
  const order = inTypeOrder(shown);
  const all = `${summary.total.toLocaleString("en-US")} ${summary.total === 1 ? "asset or column is" : "assets and columns are"} affected`;
  const them = truncated ? first : "them";
  const among =
    what === "assets" ? `Among ${them}: ${listByType(shown)}` : `The ${what} among ${them}: ${listNames(order)}`;
  return {
    text: `${lead}, ${all}: ${told}. ${among}.`,
    about: [cite(root, profile(root)), ...order.map((it) => cite(it, it.reason))],
  };
}

function sayReasons(kept: readonly AffectedNode[]): Fact[] {
  const reasons = inTypeOrder(kept.filter(({ type }) => type !== "column")).slice(0, MAX_REASONS);
  return reasons.map((it) => ({ text: plain(it.reason), about: [cite(it, it.reason)] }));
}

function sayOwners(root: CatalogNode, owners: readonly OwnerImpact[]): Fact | null {
  const known = owners.filter((it) => sayOwnerOf(it) !== null);
  if (known.length === 0) return null;
  const shown = known.slice(0, MAX_OWNERS).map((it) => `${sayOwnerOf(it)} (${it.total})`);
  const left = known.length - shown.length;
  return {
    text: `The owners to tell, with how much of theirs is affected: ${joinWords(left > 0 ? [...shown, count(left, "other")] : shown)}.`,
    about: [cite(root, profile(root))],
  };
}

const TO_ONE = /\bN\b.*\b(?:if|when|once|after|by|without|because)\b.*\bN\b/;

export const answerImpact: Answerer = async ({ subjects, question, catalog }) => {
  // "What happens to N if N is dropped" is about the second, and what it does to the first.
  const [root, about] = TO_ONE.test(question.template) ? [subjects[1], subjects[0]] : [subjects[0], undefined];
  if (root === undefined) return null;
  const change = readChange(question.template, root);
  const impact = await catalog.impact({ root: root.id, change, newType: null });
  if (impact === null) return null;
  const { types } = question;
  const columnsOnly = types !== null && types.every((type) => type === "column");
  const kept = impact.affected.filter(
    ({ id, type, certification }) =>
      (about === undefined || id === about.id) &&
      (types === null || columnsOnly || types.includes(type)) &&
      (question.certification === null || certification === question.certification),
  );
  const what = [question.certification, typesInWords(columnsOnly ? null : types)].filter(Boolean).join(" ");
  const lead = sayImpact(root, impact, kept, what);
  const owners = sayOwners(root, impact.owners);
  const whom = /\b(?:who|whom|whose|tell|warn|notify|inform|owners?|team)\b/.test(question.template);
  const rest = sayReasons(kept.slice(0, MAX_NAMES));
  const facts = whom ? [owners, lead] : [lead, ...rest, owners];
  return {
    facts: facts.filter((fact): fact is Fact => fact !== null),
    actions: [runImpact(root, change), viewLineage(root, "downstream")],
  };
};
