/** `assess_impact`: what a change would break, with the risk and the evidence. */
import { z } from "zod";

import { CHANGE_TYPES, EFFECTS, EVIDENCE_KINDS, RISKS } from "../catalog/impact.ts";
import { NODE_TYPES } from "../catalog/node-types.ts";
import { excerpt } from "../characters.ts";
import { defineTool, type ToolAnswer } from "./tool.ts";
import { pageOfList } from "./page.ts";
import {
  certification,
  completeness,
  cut,
  id,
  name,
  nodeTypes,
  owned,
  page,
  paging,
  reference,
  showCompleteness,
  text,
  textOrEmpty,
  usage,
} from "./schemas.ts";

const MAX_EXPRESSION = 200;
const SHOWN_OWNERS = 10;

const hop = z.object({
  kind: z
    .enum(EVIDENCE_KINDS)
    .describe("DIRECT: values go along. INDIRECT: it decides rows. UNKNOWN: columns are not known."),
  level: z.enum(["column", "asset"]),
  transformation: textOrEmpty,
  /** The SQL that uses it, or its beginning. */
  expression: textOrEmpty,
});

const item = reference.extend({
  certification,
  ...owned,
  usage: usage.describe("In 30 days; null if not known."),
  risk: z.enum(RISKS),
  reason: z.string(),
  hops: z.int(),
  path: z.array(z.string()).describe("Ids."),
  evidence: z.array(hop).describe("One a hop."),
  columns: z.array(z.object({ id: z.string(), name: z.string(), risk: z.enum(RISKS) })),
  ...cut,
});

const summary = z.object({
  totalAffected: z.int(),
  highRiskCount: z.int(),
  mediumRiskCount: z.int(),
  lowRiskCount: z.int(),
});

const owner = z.object({ ...owned, summary });

const counts = {
  total: z.int().describe("Assets and metrics."),
  high: z.int(),
  medium: z.int(),
  low: z.int(),
  columns: z.int().describe("Not in `total`."),
  types: z.array(z.object({ type: z.enum(NODE_TYPES), count: z.int() })),
};

const unrefreshedOwner = z.object({ ...owned, count: z.int() });

const unrefreshed = z.object({
  total: z.int(),
  owners: z.array(unrefreshedOwner),
  nodes: z.array(reference.extend({ reason: z.string() })),
});

const about = { asset: reference, changeType: z.enum(CHANGE_TYPES), newType: z.string().nullable() };

type Row = ToolAnswer<"ToolAssessImpact">["impact"]["assets"]["nodes"][number];

export const assessImpact = defineTool({
  name: "assess_impact",
  title: "Assess impact",
  description:
    "Tells what a change of an asset or column would break: all that it reaches downstream, dashboards and metrics first, with risk, " +
    "path and SQL as evidence; how many dbt tests would fail, and whom to tell. Use it before you change a column or table. " +
    "A column's id gives the sharpest answer.",
  input: z.strictObject({
    id: id.describe("What would be changed."),
    changeType: z
      .enum(CHANGE_TYPES)
      .describe("A column change of a table or model means any of its columns; asset_drop removes it whole."),
    newType: text.min(1).max(10_000).optional().describe("With type_change."),
    risk: z.enum(RISKS).optional(),
    types: nodeTypes.optional(),
    owner: name.optional().describe("E-mail address or name."),
    ...paging,
  }),
  output: z.object({
    ...about,
    effect: z.enum(EFFECTS),
    counts: z.object(counts).describe("Of what passes the filters."),
    failingChecks: z.int(),
    notRefreshed: unrefreshed.describe(
      "Not affected, but keeps old data, because dbt skips a model before it. Unfiltered.",
    ),
    owners: z.array(owner).describe(`The ${SHOWN_OWNERS} who are hit worst.`),
    ownersTotal: z.int(),
    ...page,
    items: z.array(item),
    completeness,
  }),
  async run(input, context) {
    const { id: changed, changeType, newType, types, risk, owner: person } = input;
    const variables = { id: changed, changeType, newType, types, risks: risk && [risk], owner: person };
    const { impact } = await context.ask("ToolAssessImpact", variables);
    const { assets, truncated, checks, unrefreshed: old, completeness: known, ...rest } = impact;
    const { nodes, owners, ...ofAll } = assets;
    const items = nodes.map(toItem);
    const list = { items, keyOf: (each: { id: string }) => each.id, total: ofAll.total, isCut: truncated };
    return pageOfList(list, ["assess_impact", input], {
      ...rest,
      counts: ofAll,
      failingChecks: checks.total,
      notRefreshed: { ...old, owners: old.owners.slice(0, SHOWN_OWNERS) },
      owners: owners.slice(0, SHOWN_OWNERS),
      ownersTotal: owners.length,
      completeness: showCompleteness(known),
    });
  },
});

function toItem({ impact, columns }: Row) {
  const evidence = impact.evidence.map((each) => ({
    ...each,
    expression: excerpt(each.expression ?? "", MAX_EXPRESSION),
  }));
  return { ...impact, evidence, columns };
}
