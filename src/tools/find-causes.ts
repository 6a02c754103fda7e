/** `why_did_it_change`: the changes upstream that can have changed a value. */
import { z } from "zod";

import { CAUSE_EVIDENCE, CAUSE_KINDS } from "../catalog/causes/cause.ts";
import { connectionOf, pageOfConnection } from "./page.ts";
import {
  completeness,
  completenessRow,
  cut,
  id,
  instant,
  name,
  page,
  paging,
  reference,
  showCompleteness,
} from "./schemas.ts";
import { defineTool } from "./tool.ts";

const kind = z.enum(CAUSE_KINDS);
const evidence = z.enum(CAUSE_EVIDENCE).describe("UNKNOWN: lineage between is not fully known.");

const said = {
  kind,
  evidence,
  distance: z.int().describe("Edges to it."),
  sentence: z.string(),
  details: z.array(z.string()),
  sqlBefore: z.string().nullable(),
  sqlAfter: z.string().nullable(),
};

const item = z.object({
  ...said,
  at: z.string(),
  by: z.string().describe("A person, or the connector whose sync found it."),
  node: reference,
  path: z.array(reference).describe("From the asset to what changed."),
  ...cut,
});

const connector = z.object({ name: z.string() }).nullable();
const row = z.object({
  ...said,
  at: instant,
  actor: z.string().nullable(),
  connector,
  node: reference,
  path: z.array(reference),
});

const troubledSync = z.object({
  connector: z.string(),
  status: z.string(),
  completedAt: z.string(),
  reason: z.string(),
});

const answered = z.object({
  causes: connectionOf(row).extend({
    target: reference,
    since: instant,
    until: instant,
    others: z.int(),
    troubledSyncs: z.array(
      z.object({
        sync: z.object({ status: z.string(), completedAt: instant.nullable() }),
        connector,
        reason: z.string(),
      }),
    ),
    truncated: z.boolean(),
    completeness: completenessRow,
  }),
});

/** Troubled syncs that an answer shows, the newest ones. */
const MAX_SYNCS = 5;

export const findCauses = defineTool({
  name: "why_did_it_change",
  title: "Find why a value changed",
  description:
    "Lists the changes of a span of time that can have changed the value of a metric, column, table or dashboard, the nearest " +
    "first: SQL, filters, types, sources and definitions upstream, with who or which connector. What cannot have changed it is " +
    "only counted (others). Take it for why a number differs; assess_impact for what a change would break.",
  input: z.strictObject({
    id,
    since: name.optional().describe("A duration before now (7d, 12h), a date, or an ISO 8601 time; 7d if left out."),
    until: name.optional().describe("In the same forms; now if left out."),
    ...paging,
  }),
  output: z.object({
    target: reference,
    since: z.string(),
    until: z.string(),
    others: z.int().describe("Other changes upstream, which cannot have changed it."),
    isNetOnly: z.boolean().describe("So much changed that what was taken back may be missing."),
    troubledSyncs: z.array(troubledSync).describe("Data may be stale: these did not read everything."),
    ...page,
    items: z.array(item),
    completeness,
  }),
  async run({ limit, cursor, maxCharacters, ...asked }, { ask }) {
    const { causes } = await ask("ToolFindCauses", { ...asked, first: limit, after: cursor }, answered);
    const { target, since, until, others } = causes;
    return {
      target,
      since,
      until,
      others,
      isNetOnly: causes.truncated,
      troubledSyncs: causes.troubledSyncs.slice(0, MAX_SYNCS).map(({ sync, connector: of, reason }) => {
        return { connector: of?.name ?? "", status: sync.status, completedAt: sync.completedAt ?? "", reason };
      }),
      ...pageOfConnection(causes, maxCharacters, ({ actor, connector: of, ...each }) => {
        return { ...each, by: actor ?? of?.name ?? "" };
      }),
      completeness: showCompleteness(causes.completeness),
    };
  },
});
