/** The form of the impact report as JSON, with the field names of the REST API. */
import { z } from "zod";

import { CERTIFICATIONS } from "../catalog/asset.ts";
import { NODE_TYPES } from "../catalog/node-types.ts";
import { CHANGE_KINDS } from "../catalog/change-set/change.ts";
import { AFFECTED_STATES } from "../catalog/change-set/join-impact.ts";
import { CHECK_KINDS } from "../catalog/check.ts";
import { lineage } from "./lineage-report.ts";
import { CHANGE_TYPES, EVIDENCE_KINDS, EVIDENCE_TRANSFORMATIONS, RISKS } from "../catalog/impact.ts";

const nodeId = z.string().brand<"NodeId">();
const text = (description: string) => z.string().describe(description);
const count = (description: string) => z.int().min(0).describe(description);

export const counts = {
  total_affected: count("How many assets, metrics and columns are affected."),
  high_risk_count: count("How many are at high risk."),
  medium_risk_count: count("How many are at medium risk."),
  low_risk_count: count("How many are at low risk."),
};

const used = z.int().min(0).nullable();

const assets = z
  .object({
    total: count("How many assets and metrics are affected."),
    high: count("How many of them are at high risk."),
    medium: count("How many of them are at medium risk."),
    low: count("How many of them are at low risk."),
    columns: count("How many of their columns are affected."),
    types: z.array(z.object({ type: z.enum(NODE_TYPES), count: count("How many of this type.") })),
  })
  .describe("The affected assets and metrics, with columns counted beside them.");

const owned = {
  owner: text("The owner's e-mail address; empty if not known."),
  owner_name: text("The owner's name as this record states it; empty if it states none."),
};

const certifiedBy = z
  .string()
  .nullable()
  .default(null)
  .describe("The e-mail address of whoever certified it; null if that is not known.");

const named = { id: nodeId, name: z.string(), fqn: z.string(), type: z.enum(NODE_TYPES) };

const evidence = z.object({
  kind: z.enum(EVIDENCE_KINDS).describe("How certain it is that the hop passes the change on."),
  level: z.enum(["asset", "column"]).describe("`column` if the columns are known, else `asset`."),
  transformation: z
    .enum([...EVIDENCE_TRANSFORMATIONS, ""])
    .describe("How the upstream column is used; empty if not known."),
  expression: text("The SQL that uses it; empty if not known."),
  from: nodeId.describe("The id of the upstream node."),
  to: nodeId.describe("The id of the downstream node."),
});

const change = z.object({
  kind: z.enum(CHANGE_KINDS).describe("The change that was found."),
  change_type: z.enum(CHANGE_TYPES).describe("What the change means for everything downstream."),
  asset_id: nodeId.describe("The id of the changed asset or column."),
  fqn: text("Its fully qualified name, before the change."),
  type: z.enum(NODE_TYPES),
  new_name: text("The new name of a renamed column, or the new fully qualified name of a moved asset; else empty."),
  old_type: text("The column's data type before the change; empty if not known."),
  new_type: text("The column's data type after the change; empty if not known."),
  confidence: z.number().min(0).max(1).describe("Below 1, the change is a guess."),
  because: text("The reason for the guess; empty if it is not a guess."),
  certification: z.enum(CERTIFICATIONS).default("none").describe("Of the asset, before the change; none for a column."),
  certified_by: certifiedBy,
  owner: owned.owner.default(""),
  owner_name: owned.owner_name.default(""),
  summary: z
    .object(counts)
    .describe("How much the change affects. What the change set adapts or drops does not count."),
  assets,
});

const affected = z.object({
  state: z.enum(AFFECTED_STATES).describe("Whether it is affected, adapted or dropped."),
  changes: z.array(z.int().min(0)).describe("The changes that affect it, as positions in `changes`, counted from 0."),
  id: nodeId,
  parent_id: nodeId.nullable().describe("The id of a column's table or model; null for everything else."),
  name: z.string(),
  fqn: z.string(),
  type: z.enum(NODE_TYPES),
  certification: z.enum(CERTIFICATIONS),
  risk: z.enum(RISKS),
  reason: text("The path and its evidence, in one sentence."),
  hops: count("How many hops the path has."),
  path: z.array(nodeId).describe("Ids from the changed asset to this one."),
  evidence: z.array(evidence).describe("One for each hop of the path."),
  ...owned,
  usage: z
    .object({
      users: used.describe("How many people used it."),
      queries: used.describe("How many queries read it."),
      views: used.describe("How often it was opened."),
      until: text("The end of the 30 days that are counted."),
    })
    .nullable()
    .default(null)
    .describe("How much it was used in 30 days; null if no source tells it."),
});

const check = z.object({
  id: text("The check's id, as in GraphQL."),
  name: z.string(),
  kind: z.enum(CHECK_KINDS).describe("The kind of the check."),
  asset_id: text("The table or model that it belongs to."),
  reason: text("Why it would fail, in one sentence."),
});

const unbuilt = z.object({
  change: z.int().min(0).describe("The change because of which it cannot be built, as a position in `changes`."),
  asset_id: nodeId,
  name: z.string(),
  fqn: z.string(),
  type: z.enum(NODE_TYPES),
  ...owned,
});

const unrefreshed = z.object({
  ...named,
  reason: text("What it gets its data from, and what cannot be built."),
  ...owned,
});

const lapse = z.object({
  id: nodeId.describe("The metric's id."),
  name: z.string(),
  fqn: z.string(),
  reason: text("What would be computed otherwise."),
  certified_by: certifiedBy,
  ...owned,
});

const rewritten = z
  .object({
    assets: z
      .array(
        z.object({
          ...named,
          other_rows: z.boolean().describe("Whether other SQL decides which rows it has, and so all of its columns."),
          columns: z
            .array(z.string())
            .describe("The first columns that it computes otherwise; empty if its rows or what it reads decide that."),
          risk: z
            .enum(RISKS)
            .nullable()
            .describe("The highest risk for a dashboard or metric that reads it; null if none does."),
          ...owned,
        }),
      )
      .describe(
        "Models with SQL that computes something otherwise, metrics with another definition, and dashboards and pipelines that read other relations.",
      ),
    readers: z
      .array(
        z.object({
          ...named,
          risk: z.enum(RISKS),
          assets: z.array(z.int().min(0)).describe("What it reads, as positions in `assets`, counted from 0."),
          ...owned,
        }),
      )
      .describe("The dashboards and metrics that read it, the highest risk first."),
    truncated: z.boolean().describe("True if there are more than are listed."),
  })
  .default({ assets: [], readers: [], truncated: false })
  .describe(
    "What is computed otherwise, so that people read other numbers, though nothing breaks. `summary` does not count it, and it does not fail.",
  );

/** The answer of `tributary impact --format json` and `POST /api/v1/lineage/impact/manifest`. */
export const impactReport = z.object({
  url: z.string().nullable().describe("The address of the page that shows the answer; null if it is not saved."),
  summary: z.object({
    ...counts,
    adapted_count: count("How many the change set adapts."),
    dropped_count: count("How many the change set drops."),
    uncompared_count: count("How many assets could not be compared, or not in full."),
    unread_count: count(
      "How many models and other objects could not be read, so that their changes are not known.",
    ).default(0),
  }),
  assets,
  failed: z
    .boolean()
    .describe(
      "Whether something is at the risk `fail_on` or higher. A check that would fail and a certified metric that is dropped or renamed count as high, a certification that would lapse as medium.",
    ),
  changes: z.array(change),
  affected: z
    .array(affected)
    .describe(
      "Each asset once: affected, then adapted, then dropped ones. The highest risk and the nearest come first.",
    ),
  owners: z
    .array(z.object({ owner: z.string(), owner_name: z.string(), ...counts }))
    .describe("All owners of affected assets, the highest risk first. Assets without an owner come last."),
  checks: z
    .object({
      total: count("How many would fail."),
      would_fail: z.array(check).describe("The checks, up to a limit."),
      truncated: z.boolean().describe("True if more would fail than are listed."),
      unbuilt: z
        .array(unbuilt)
        .default([])
        .describe("The tables and models that cannot be built any more: edit them first."),
      skipped: z
        .object({
          models: count("How many models are built from those."),
          checks: count("How many of their checks are not among those that would fail."),
        })
        .default({ models: 0, checks: 0 })
        .describe("What dbt would skip, because it needs something that cannot be built."),
    })
    .describe("The checks that would fail, such as dbt's tests. `summary` does not count them."),
  unrefreshed: z
    .object({
      total: count("How many."),
      assets: z.array(unrefreshed).describe("Dashboards first, up to a limit."),
      truncated: z.boolean().describe("True if there are more."),
    })
    .default({ total: 0, assets: [], truncated: false })
    .describe(
      "Assets and metrics that no change reaches, and that get no new data, because dbt skips a model before them. `summary` does not count them.",
    ),
  lapses: z
    .object({
      total: count("How many would lapse."),
      metrics: z.array(lapse).describe("The metrics, up to a limit."),
      truncated: z.boolean().describe("True if more would lapse than are listed."),
    })
    .describe(
      "The certifications that would lapse, because something that the metric stands on is computed otherwise. `summary` does not count them; for `fail_on` each counts as medium.",
    ),
  lineage,
  rewritten,
  uncompared: z
    .array(
      z.object({
        object: text("The asset's name; empty for the whole project."),
        message: z.string(),
        unread: z
          .enum(["model", "object"])
          .nullable()
          .default(null)
          .describe(
            "What could not be read, so that its changes are not known; null if it was read, and only what `message` says is not known.",
          ),
      }),
    )
    .describe("What could not be compared. It never counts as a change."),
  truncated: z.boolean().describe("True if more is affected than is shown and counted."),
  completeness: z
    .object({
      complete: z.boolean().describe("True when nothing that changes or is affected has a gap, and all was read."),
      as_of: z
        .string()
        .nullable()
        .describe("When the oldest of the connectors that state it all last completed a sync; null if one never did."),
      gaps: z
        .array(z.object({ asset_id: nodeId, reason: text("Why lineage may be missing.") }))
        .describe("The first 100 gaps."),
      gaps_total: count("All gaps, listed or not; at least so many where one change alone has more than 100."),
    })
    .describe("What could not be known of what changes and of all that is affected."),
});
export type ImpactJson = z.infer<typeof impactReport>;
