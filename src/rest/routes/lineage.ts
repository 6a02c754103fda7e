/** Lineage, and the impact of changes. */
import { z } from "zod";

import { SPAN_FORMS } from "../../catalog/time-span.ts";
import { DIRECTIONS } from "../../catalog/edge.ts";
import { RISKS, SPECIFIED_CHANGE_TYPES } from "../../catalog/impact.ts";
import { COMPARE_WITH_DESCRIPTION, SAVED_IMPACT_DESCRIPTION } from "../../graphql/lineage-diff.ts";
import { impactReport } from "../../what-if/impact-report.ts";
import { causes, lineageDiff } from "../openapi/cause-examples.ts";
import { change, downstream, ids, impact, upstream } from "../openapi/examples.ts";
import { lineageEvent, partialReceipt, receipt } from "../openapi/lineage-event-examples.ts";
import { manifestImpact, manifestMarkdown } from "../openapi/manifest-examples.ts";
import { as_of, connector as connectorName, cursor, depth, flag, id, limit, optionalId } from "../parameters.ts";
import { API_PREFIX } from "../../http/paths.ts";
import type { Route } from "../route.ts";

const asset_id = id("The asset or metric at which the walk begins.", upstream.root);

const causesOf = id("The asset, column or metric whose value changed.", causes.target.id);

const since = z
  .string()
  .optional()
  .meta({
    description: `Where the span begins: ${SPAN_FORMS}. It is \`7d\` if left out. A duration begins with the history if that is later.`,
  });

const until = z.string().optional().meta({ description: "Where the span ends, in the same forms. Now if left out." });

const include_indirect = flag(
  "For a column: whether to follow joins, filters, groupings and conditions too, and not only values. For anything " +
    "else it has no effect.",
  ["all", "direct"],
);

const change_type = z.enum(SPECIFIED_CHANGE_TYPES).meta({
  description:
    "The change. `column_rename`, `column_drop` and `type_change` are for columns; for a table or model they mean the " +
    "column with the worst impact. `deprecate` is for everything.",
  examples: [change.change_type],
});

const new_type = z
  .string("must be text")
  .optional()
  .meta({ description: "With `type_change`: the new data type of the column. Default: a narrower type." });

const connector = z
  .string()
  .min(1)
  .optional()
  .meta({
    description:
      "The connector that reads the project, by id or name. If left out, it is the one whose project has the most of the manifest's objects.",
    examples: ["shop"],
  });

const fail_on = z
  .enum([...RISKS, "none"])
  .optional()
  .meta({
    description:
      "The lowest risk at which the pull request fails. A check that would fail is a high risk, and a certification that would lapse a medium one.",
    examples: ["high"],
  });

const save = flag(
  "Whether to save the answer for 90 days. It then has the address of the page that shows all of it to members of the " +
    "workspace. An answer in which nothing differs, or of more than 4 MiB, is not saved.",
);

export const lineageRoutes: readonly Route[] = [
  {
    method: "GET",
    path: `${API_PREFIX}/lineage/upstream`,
    tag: "Lineage",
    summary: "Walk upstream",
    description:
      "What feeds an asset or metric, up to `depth` hops away. The root is not among the nodes; a node's `depth` is " +
      "its smallest number of hops from the root. If there are more than 10,000 nodes, the answer has the nearest ones, and " +
      "`truncated` is true.",
    operation: "WalkUpstream",
    input: { query: { asset_id, depth, include_indirect, as_of } },
    absent: { noun: "asset", namedBy: "asset_id" },
    status: 200,
    exampleSubject: "From the model `shop.marts.dim_customers` of the sample.",
    example: upstream,
  },
  {
    method: "GET",
    path: `${API_PREFIX}/lineage/downstream`,
    tag: "Lineage",
    summary: "Walk downstream",
    description:
      "What an asset or metric feeds, up to `depth` hops away: tables, models, dashboards, exports and metrics. " +
      "The order and the limits are those of upstream.",
    operation: "WalkDownstream",
    input: { query: { asset_id, depth, include_indirect, as_of } },
    absent: { noun: "asset", namedBy: "asset_id" },
    status: 200,
    exampleSubject: "From the model `shop.marts.dim_customers` of the sample.",
    example: downstream,
  },
  {
    method: "GET",
    path: `${API_PREFIX}/lineage/causes`,
    tag: "Lineage",
    summary: "Find why a value may have changed",
    description:
      "All changes within a span of time that can have changed the value of an asset, column or metric, the nearest first, each with " +
      "its path, its evidence, and the sync or person that made it. Other changes upstream, such as comments and other columns, are " +
      "only counted. A time before the history begins is 400, and the message names the earliest one.",
    operation: "FindCauses",
    input: { query: { asset_id: causesOf, since, until, limit, cursor } },
    absent: { noun: "asset", namedBy: "asset_id" },
    status: 200,
    exampleSubject: "Of the metric `active_customers` of the sample.",
    example: causes,
  },
  {
    method: "GET",
    path: `${API_PREFIX}/lineage/diff`,
    tag: "Lineage",
    summary: "Compare lineage with an earlier time",
    description:
      "How the lineage of an asset, or of all that a connector holds, differs between an earlier time and now, or the time `as_of`: " +
      "nodes and edges that were added, removed or changed. What was added and removed is complete. Of more than 1,000 nodes that are " +
      "there at both times, only the nearest are compared, and `truncated` is true. With `saved_impact`, the answer tells how the lineage " +
      "would differ with the manifest of a pull request.",
    operation: "DiffLineage",
    input: {
      query: {
        asset_id: optionalId("The asset, column or metric. Give this or `connector`.", ids.orders),
        connector: connectorName,
        direction: z
          .enum(DIRECTIONS)
          .optional()
          .meta({ description: "Which way to walk from the asset. Both if left out." }),
        depth,
        compare_with: z
          .string()
          .optional()
          .meta({ description: COMPARE_WITH_DESCRIPTION, examples: ["7d"] }),
        saved_impact: z.string().optional().meta({ description: SAVED_IMPACT_DESCRIPTION }),
        as_of,
      },
    },
    absent: { noun: "asset", namedBy: "asset_id" },
    status: 200,
    example: lineageDiff,
    exampleSubject: "Of the model `shop.marts.fct_orders` of the sample.",
  },
  {
    method: "POST",
    path: `${API_PREFIX}/lineage/impact`,
    tag: "Lineage",
    summary: "Assess the impact of a change",
    description:
      "What a change to an asset or metric would affect, at any distance downstream: by risk, then by hops, then the most used first, then by name. " +
      "Each risk follows from the change, the evidence on the path and the type of what is affected; `reason` explains it " +
      "in a sentence. `summary` counts everything. `affected` has at most 10,000 items; if there are more, `truncated` is true.",
    operation: "AssessImpact",
    input: {
      body: {
        asset_id: id("The asset or metric that would be changed.", change.asset_id),
        change_type,
        new_type,
        as_of,
      },
    },
    absent: { noun: "asset", namedBy: "asset_id" },
    status: 200,
    exampleSubject: "If the column `shop.marketing.fct_channel_days.ad_spend_eur` of the sample were dropped.",
    example: impact,
  },
  {
    method: "POST",
    path: `${API_PREFIX}/lineage/impact/manifest`,
    tag: "Lineage",
    summary: "Assess the impact of a new dbt manifest",
    description:
      "Compares a dbt project's new `manifest.json`, compiled, with the project in the catalog, and lists what all its changes " +
      "together would break. It may be built for another target, because models are matched by dbt's unique ids. The " +
      "answer is JSON, or Markdown for a comment on a pull request if `Accept` is `text/markdown`. The status is 200 even " +
      "if the check failed: the header `Tributary-Impact` says whether it did. If nothing can be compared, the status is 400.",
    operation: "AssessManifest",
    input: {
      query: { connector, fail_on, save },
      upload: {
        name: "manifest",
        kind: "manifest",
        description: "The new `manifest.json`, up to 64 MiB; it may have `Content-Encoding: gzip`.",
      },
    },
    absent: { noun: "connector", namedBy: "connector" },
    status: 200,
    report: {
      schema: impactReport,
      markdown: { operation: "DescribeManifest", example: manifestMarkdown },
      headers: [
        {
          name: "Tributary-Impact",
          description:
            "`fail` if a risk is as high as `fail_on` or higher, else `pass`. A check that would fail is a high risk, and a certification that would lapse a medium one.",
          field: "failed",
          words: ["fail", "pass"],
        },
        {
          name: "Tributary-Found",
          description:
            "`nothing` if there is no change, also of SQL or lineage, no failing check, no lapse, and nothing that could not be compared; else `something`.",
          field: "isEmpty",
          words: ["nothing", "something"],
        },
        {
          name: "Tributary-Compared",
          description:
            "`part` if a model or another object could not be read, so that its changes are not known; else `all`.",
          field: "isPartial",
          words: ["part", "all"],
        },
      ],
    },
    example: manifestImpact,
  },
  {
    method: "POST",
    path: `${API_PREFIX}/lineage`,
    tag: "Lineage",
    summary: "Send a lineage event",
    description:
      "Receives one OpenLineage event: a RunEvent, a JobEvent or a DatasetEvent. OpenLineage clients post here by default. " +
      "The lineage of a job is that of its last completed run. Unknown facets are ignored. The answer comes when the event " +
      "is stored. Usually the catalog shows it by then.",
    operation: "ReceiveLineageEvent",
    input: {
      upload: {
        name: "event",
        kind: "events",
        description: "The event, up to 10 MiB unpacked; it may have `Content-Encoding: gzip`.",
        example: lineageEvent,
      },
    },
    conflicts: true,
    status: 201,
    example: receipt,
  },
  {
    method: "POST",
    path: `${API_PREFIX}/lineage/batch`,
    tag: "Lineage",
    summary: "Send lineage events",
    description:
      "Receives up to 1,000 OpenLineage events. If some are refused, the others are stored, and the answer lists the " +
      "refused ones.",
    operation: "ReceiveLineageEvents",
    input: {
      upload: {
        name: "events",
        kind: "events",
        type: "array",
        description: "The events, up to 10 MiB unpacked; it may have `Content-Encoding: gzip`.",
        example: [lineageEvent],
      },
    },
    conflicts: true,
    status: 204,
    otherwise: {
      status: 200,
      description: "Some events were refused.",
      appliesTo: (answer) => z.object({ status: z.literal("partial_success") }).safeParse(answer).success,
    },
    example: partialReceipt,
  },
];
