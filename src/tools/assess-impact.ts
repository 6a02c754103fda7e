/** `assess_impact`: what a change would break, with the risk and the evidence. */
import { z } from "zod";

import { CHANGE_TYPES, EFFECTS, EVIDENCE_KINDS, RISKS } from "../catalog/impact.ts";
import { excerpt } from "../characters.ts";
import { parseRows } from "./in-turns.ts";
import { pageOfList } from "./page.ts";
import {
  certification,
  completeness,
  completenessRow,
  cut,
  id,
  isOwnedBy,
  name,
  nodeTypes,
  owned,
  ownedRow,
  page,
  paging,
  reference,
  showCompleteness,
  text,
  textOrEmpty,
} from "./schemas.ts";
import { defineTool, type ToolContext } from "./tool.ts";

const MAX_EXPRESSION = 200;
const SHOWN_OWNERS = 10;

const evidence = z.object({
  kind: z
    .enum(EVIDENCE_KINDS)
    .describe("DIRECT: values go along. INDIRECT: it decides rows. UNKNOWN: columns are not known."),
  level: z.enum(["column", "asset"]),
  transformation: z.string(),
  /** The SQL that uses it, or its beginning. */
  expression: z.string(),
});

const item = reference.extend({
  certification,
  ...owned,
  risk: z.enum(RISKS),
  reason: z.string(),
  hops: z.int(),
  path: z.array(z.string()).describe("Ids."),
  evidence: z.array(evidence).describe("One a hop."),
  ...cut,
});

const row = item.extend({
  ...ownedRow,
  evidence: z.array(evidence.extend({ transformation: textOrEmpty, expression: textOrEmpty })),
});

const summary = z.object({
  totalAffected: z.int(),
  highRiskCount: z.int(),
  mediumRiskCount: z.int(),
  lowRiskCount: z.int(),
});

const owner = z.object({ ...owned, summary });

const about = { asset: reference, changeType: z.enum(CHANGE_TYPES), newType: z.string().nullable() };

const answered = z.object({
  impact: z.object({
    ...about,
    effect: z.enum(EFFECTS),
    summary,
    owners: z.array(owner.extend(ownedRow)),
    checks: z.object({ total: z.int() }),
    // `parseRows` checks these in slices, because there may be many.
    affected: z.array(z.unknown()),
    truncated: z.boolean(),
    completeness: completenessRow,
  }),
});

type Item = z.output<typeof item>;

export const assessImpact = defineTool({
  name: "assess_impact",
  title: "Assess impact",
  description:
    "Tells what a change of an asset or column would break: all that it reaches downstream, the worst first, with risk, path " +
    "and SQL as evidence; how many dbt tests would fail, and whose assets are affected. Take it before renaming, dropping or " +
    "retyping a column, or deprecating a table. A column's id gives the sharpest answer.",
  input: z.strictObject({
    id: id.describe("What would be changed."),
    changeType: z.enum(CHANGE_TYPES).describe("A column change of a table or model means any of its columns."),
    newType: text.min(1).max(10_000).optional().describe("With type_change."),
    risk: z.enum(RISKS).optional(),
    types: nodeTypes.optional(),
    owner: name.optional().describe("E-mail address or name."),
    ...paging,
  }),
  output: z.object({
    ...about,
    effect: z.enum(EFFECTS),
    summary,
    failingChecks: z.int(),
    owners: z.array(owner).describe(`The ${SHOWN_OWNERS} who are hit worst.`),
    ownersTotal: z.int(),
    ...page,
    items: z.array(item),
    completeness,
  }),
  async run(input, context) {
    const { id: changed, changeType, newType } = input;
    const { impact } = await context.ask("ToolAssessImpact", { id: changed, changeType, newType }, answered);
    const { affected, truncated, owners, checks, completeness: known, ...rest } = impact;
    const items = await readItems(affected, input, context);
    const isFiltered = [input.risk, input.types, input.owner].some((each) => each !== undefined);
    const whole = isFiltered ? null : rest.summary.totalAffected;
    const total = truncated ? whole : items.length;
    const list = { items: items.map(withShortExpressions), keyOf: (each: Item) => each.id, total, isCut: truncated };
    return pageOfList(list, ["assess_impact", input], {
      ...rest,
      failingChecks: checks.total,
      owners: owners.slice(0, SHOWN_OWNERS),
      ownersTotal: owners.length,
      completeness: showCompleteness(known),
    });
  },
});

interface Filters {
  risk?: string | undefined;
  types?: readonly string[] | undefined;
  owner?: string | undefined;
}

/** Returns the affected assets that pass the filters. */
async function readItems(
  affected: readonly unknown[],
  { risk, types, owner: person }: Filters,
  context: ToolContext,
): Promise<Item[]> {
  const isTheirs = person === undefined ? () => true : isOwnedBy(person);
  const all = await parseRows(affected, row, context);
  return all.filter(
    (each) =>
      (risk === undefined || each.risk === risk) &&
      (types === undefined || types.includes(each.type)) &&
      isTheirs(each),
  );
}

function withShortExpressions(each: Item): Item {
  return {
    ...each,
    evidence: each.evidence.map((hop) => ({ ...hop, expression: excerpt(hop.expression, MAX_EXPRESSION) })),
  };
}
