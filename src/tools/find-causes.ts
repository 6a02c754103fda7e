/** `why_did_it_change`: the changes upstream that can have changed a value. */
import { z } from "zod";

import { pageOfConnection } from "./page.ts";
import { defineTool, type ToolAnswer } from "./tool.ts";
import { cut, id, instant, name, page, paging, textOrEmpty } from "./schemas.ts";

const item = z.object({
  kind: z.string(),
  evidence: z.string(),
  distance: z.int(),
  id: z.string(),
  fqn: z.string(),
  what: z.string(),
  sqlBefore: textOrEmpty,
  sqlAfter: textOrEmpty,
  at: instant,
  by: z.string(),
  path: z.array(z.string()),
  ...cut,
});

type Causes = ToolAnswer<"ToolFindCauses">["causes"];

/** Troubled syncs and gaps that an answer shows. */
const MAX_SHOWN = 5;

export const findCauses = defineTool({
  name: "why_did_it_change",
  title: "Find why a value changed",
  description:
    "Lists the changes upstream that can have changed the value of a metric, column, table or dashboard in a span of time, the " +
    "nearest first; others counts those that cannot.",
  input: z.strictObject({
    id,
    since: name.optional().describe("7d (default), 12h, a date or ISO 8601 time."),
    until: name.optional(),
    ...paging,
  }),
  output: z.object({
    since: instant,
    until: instant,
    others: z.int(),
    warnings: z.array(z.string()),
    ...page,
    items: z.array(item),
  }),
  async run({ limit, cursor, maxCharacters, ...asked }, { ask }) {
    const { causes } = await ask("ToolFindCauses", { ...asked, first: limit, after: cursor });
    const { since, until, others } = causes;
    const answer = { since, until, others, warnings: warningsOf(causes) };
    return pageOfConnection(causes, { maxCharacters, answer }, ({ kind, evidence, distance, ...each }) => ({
      kind,
      evidence,
      distance,
      id: each.node.id,
      fqn: each.node.fqn,
      what: [each.sentence, ...each.details].join("; "),
      sqlBefore: each.sqlBefore,
      sqlAfter: each.sqlAfter,
      at: each.at,
      by: each.actor ?? each.connector?.name ?? "",
      path: each.path.map((step) => step.fqn),
    }));
  },
});

/** What the answer may lack. */
function warningsOf({ troubledSyncs, truncated, completeness: known }: Causes): string[] {
  const { gaps, gapsTotal } = known;
  return [
    ...(truncated ? ["So much changed that what was changed and taken back may be missing."] : []),
    ...troubledSyncs.slice(0, MAX_SHOWN).map(({ sync, connector: of, reason }) => {
      return `A sync of ${of?.name ?? "a connector"} did not read everything: ${sync.status} ${instant.parse(sync.completedAt ?? "")} ${reason}`;
    }),
    ...gaps.slice(0, MAX_SHOWN).map(({ assetId, reason }) => `Lineage of ${assetId} may be missing: ${reason}`),
    ...(gapsTotal > MAX_SHOWN ? [`Lineage may be missing in ${gapsTotal} assets.`] : []),
  ];
}
