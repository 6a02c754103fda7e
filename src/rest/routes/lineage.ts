/** Lineage, and the impact of changes. */
import { z } from "zod";

import { CHANGE_TYPES, RISKS } from "../../catalog/impact.ts";
import { impactReport } from "../../what-if/impact-json.ts";
import { change, downstream, impact, manifestImpact, manifestMarkdown, upstream } from "../openapi/examples.ts";
import { lineageEvent, partialReceipt, receipt } from "../openapi/lineage-event-examples.ts";
import { depth, id } from "../parameters.ts";
import { API_PREFIX } from "../../http/paths.ts";
import type { Route } from "../route.ts";

const asset_id = id("The asset or metric to begin from.", upstream.root);

const include_indirect = z
  .enum(["true", "false"])
  .default("false")
  .transform((text): unknown => (text === "true" ? "all" : "direct"))
  // This is GraphQL's name; the OpenAPI document shows another one.
  .pipe(z.unknown())
  .meta({
    type: "boolean",
    default: false,
    description:
      "From a column: whether to follow joins, filters, groupings and conditions too, and not only where values go. " +
      "Without effect from anything else.",
  });

const change_type = z.enum(CHANGE_TYPES).meta({
  description:
    "What would be done. `column_rename`, `column_drop` and `type_change` are for columns; of a table or model they " +
    "mean the worst of its columns. `deprecate` is for everything.",
  examples: [change.change_type],
});

const new_type = z
  .string("must be text")
  .optional()
  .meta({ description: "With `type_change`: the data type that a column would get. Without it, the change narrows." });

const connector = z
  .string()
  .min(1)
  .optional()
  .meta({
    description: "The connector that crawls the project, by id or name. It may be left out if only one is for dbt.",
    examples: ["shop"],
  });

const fail_on = z
  .enum([...RISKS, "none"])
  .optional()
  .meta({
    description:
      "The risk from which on the pull request has failed; a check that would fail counts as high, a certification that would lapse as medium.",
    examples: ["high"],
  });

export const lineageRoutes: readonly Route[] = [
  {
    method: "GET",
    path: `${API_PREFIX}/lineage/upstream`,
    tag: "Lineage",
    summary: "Walk upstream",
    description:
      "What feeds an asset or metric, up to `depth` hops away. The root is not among the nodes; a node's `depth` is " +
      "its fewest hops from the root. Past 10,000 nodes the nearest are kept and `truncated` is true.",
    operation: "WalkUpstream",
    input: { query: { asset_id, depth, include_indirect } },
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
      "Ordered and bounded as upstream.",
    operation: "WalkDownstream",
    input: { query: { asset_id, depth, include_indirect } },
    absent: { noun: "asset", namedBy: "asset_id" },
    status: 200,
    exampleSubject: "From the model `shop.marts.dim_customers` of the sample.",
    example: downstream,
  },
  {
    method: "POST",
    path: `${API_PREFIX}/lineage/impact`,
    tag: "Lineage",
    summary: "Assess the impact of a change",
    description:
      "What a change to an asset or metric would affect, however far downstream: by risk, then by hops, then by name. " +
      "Each risk is derived from the change, the evidence on the path and what is affected; `reason` says it in a " +
      "sentence. `summary` is exact; past 10,000 the first of `affected` are kept and `truncated` is true.",
    operation: "AssessImpact",
    input: {
      body: { asset_id: id("The asset or metric that would be changed.", change.asset_id), change_type, new_type },
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
      "Compares a dbt project's new `manifest.json`, compiled, with what is crawled of it, and tells what all its changes " +
      "together would break. It may be built for another target: dbt's unique ids tell which model is which. The answer " +
      "is JSON, or Markdown for a comment on a pull request where `Accept` is `text/markdown`. The status is 200 whether " +
      "it failed or not: the header `Tributary-Impact` tells that. A manifest of which nothing can be compared is 400.",
    operation: "AssessManifest",
    input: {
      query: { connector, fail_on },
      upload: {
        name: "manifest",
        kind: "manifest",
        description: "The new `manifest.json`, up to 64 MiB; `Content-Encoding: gzip` is welcome.",
      },
    },
    absent: { noun: "connector", namedBy: "connector" },
    status: 200,
    report: {
      schema: impactReport,
      markdown: { operation: "DescribeManifest", example: manifestMarkdown },
      verdict: {
        header: "Tributary-Impact",
        description:
          "`fail` if something is at the risk of `fail_on` or worse, where a check that would fail counts as high and a certification that would lapse as medium; else `pass`.",
      },
    },
    example: manifestImpact,
  },
  {
    method: "POST",
    path: `${API_PREFIX}/lineage`,
    tag: "Lineage",
    summary: "Send a lineage event",
    description:
      "Takes one OpenLineage event: a RunEvent, a JobEvent or a DatasetEvent. OpenLineage clients post here by default. " +
      "The lineage of a job is that of its last completed run. Facets that the catalog does not know are left out. When " +
      "the answer comes, the event is stored, and as a rule the catalog shows it.",
    operation: "ReceiveLineageEvent",
    input: {
      upload: {
        name: "event",
        kind: "events",
        description: "The event, up to 10 MiB unpacked; `Content-Encoding: gzip` is welcome.",
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
      "Takes up to 1,000 OpenLineage events. If some are refused, the others are taken all the same, and the answer names " +
      "those that were refused.",
    operation: "ReceiveLineageEvents",
    input: {
      upload: {
        name: "events",
        kind: "events",
        type: "array",
        description: "The events, up to 10 MiB unpacked; `Content-Encoding: gzip` is welcome.",
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
