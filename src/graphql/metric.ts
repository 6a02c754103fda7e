/** Metrics: what a business measures, how it is computed, and from which assets. */
import { hash } from "node:crypto";

import type { CatalogNode } from "../catalog/asset.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import { builder, requires } from "./builder.ts";
import { connectionType, pageArgs } from "./connection.ts";
import type { GraphqlContext } from "./context.ts";
import { Certification, MetricKind } from "./enums.ts";
import { listNodes } from "./node-list.ts";
import { CatalogNodeType } from "./refs.ts";

/** What a list of unknown length counts as in a query's cost. */
const ASSUMED_LENGTH = 20;
/** Neighbours that one call loads; few metrics have more. */
const NEIGHBOURS_AT_ONCE = 1_000;

type MetricNode = CatalogNode & { metric: MetricDefinition };

const isMetric = (node: CatalogNode | null): node is MetricNode => node?.type === "metric" && node.metric !== null;

const Definition = builder.objectRef<MetricDefinition>("MetricDefinition").implement({
  description: "How a metric is computed.",
  fields: (t) => ({
    expression: t.exposeString("expression", { description: "SQL, or a formula over other metrics." }),
    grain: t.exposeString("grain", { description: "The time grain, such as `day`; empty when none is named." }),
    dimensions: t.exposeStringList("dimensions", { description: "What it can be broken down by." }),
    filters: t.exposeStringList("filters", { description: "What every value of it leaves out or keeps." }),
  }),
});

interface MetricLineage {
  sourceAssets: CatalogNode[];
  downstream: CatalogNode[];
}

const MetricLineageType = builder.objectRef<MetricLineage>("MetricLineage").implement({
  description: "What a metric stands on, and what uses it.",
  fields: (t) => ({
    sourceAssets: t.expose("sourceAssets", {
      type: [CatalogNodeType],
      description: "The assets that it is measured on, also through the metrics that it is computed from.",
      complexity: { field: 1, multiplier: ASSUMED_LENGTH },
    }),
    downstream: t.expose("downstream", {
      type: [CatalogNodeType],
      description: "The metrics, dashboards and pipelines that use it directly.",
      complexity: { field: 1, multiplier: ASSUMED_LENGTH },
    }),
  }),
});

interface CertificationEvent {
  action: string;
  from: string;
  to: string;
  actor: string;
  at: string;
  note: string;
  definitionHash: string;
}

const CertificationEventType = builder.objectRef<CertificationEvent>("CertificationEvent").implement({
  description: "One step in the history of a metric's certification.",
  fields: (t) => ({
    action: t.exposeString("action", { description: "What was done, such as `certify`." }),
    from: t.exposeString("from", { description: "The certification before." }),
    to: t.exposeString("to", { description: "The certification after." }),
    actor: t.exposeString("actor", { description: "Who did it." }),
    at: t.expose("at", { type: "DateTime", description: "When." }),
    note: t.exposeString("note", { description: "Why, or from where it is known." }),
    definitionHash: t.exposeString("definitionHash", { description: "SHA-256 of the definition it is about." }),
  }),
});

/** The certification that the metric's own source vouches for, where it says by whom and when. */
function toAudit(metric: MetricNode): CertificationEvent[] {
  if (metric.certification !== "certified" || metric.certifiedBy === null || metric.certifiedAt === null) return [];
  return [
    {
      action: "certify",
      from: "pending",
      to: "certified",
      actor: metric.certifiedBy,
      at: metric.certifiedAt,
      note: `Stated by connector ${metric.sourceConnector}.`,
      definitionHash: hash("sha256", JSON.stringify(metric.metric), "hex"),
    },
  ];
}

/** Follows metrics upstream until assets are reached; one call to the graph for each level of metrics. */
async function findSourceAssets(metric: CatalogNode, context: GraphqlContext): Promise<CatalogNode[]> {
  const assets = new Map<string, CatalogNode>();
  const seen = new Set([metric.id]);
  let level = [metric.id];
  while (level.length > 0) {
    const found = await Promise.all(level.map((id) => loadAllNeighbours(id, "upstream", context)));
    const unseen = found.flat().filter((node) => !seen.has(node.id));
    for (const node of unseen) {
      seen.add(node.id);
      if (node.type !== "metric") assets.set(node.id, node);
    }
    level = [...new Set(unseen.filter((node) => node.type === "metric").map((node) => node.id))];
  }
  return [...assets.values()];
}

async function loadAllNeighbours(
  id: string,
  direction: "upstream" | "downstream",
  context: GraphqlContext,
): Promise<CatalogNode[]> {
  const nodes: CatalogNode[] = [];
  let hasMore = true;
  while (hasMore) {
    const query = { id, direction, first: NEIGHBOURS_AT_ONCE, after: nodes.at(-1)?.key ?? null };
    const found = await context.loaders.neighbours.load(query);
    nodes.push(...found.items.map((neighbour) => neighbour.node));
    hasMore = found.hasMore;
  }
  return nodes;
}

const Metric = builder.objectRef<MetricNode>("Metric");

Metric.implement({
  description: "Something that a business measures.",
  interfaces: [CatalogNodeType],
  isTypeOf: (value) => (value as CatalogNode).type === "metric",
  fields: (t) => ({
    displayName: t.string({
      description: "The name that people read.",
      resolve: ({ metric }) => metric.displayName,
    }),
    kind: t.field({ type: MetricKind, description: "How it is computed.", resolve: ({ metric }) => metric.kind }),
    certification: t.expose("certification", { type: Certification, description: "`certified` or `pending`." }),
    certifiedBy: t.exposeString("certifiedBy", {
      nullable: true,
      description: "The e-mail address of who certified it; null when nobody did or it is unknown.",
    }),
    certifiedAt: t.expose("certifiedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was certified; null when it was not or it is unknown.",
    }),
    definitionSummary: t.string({
      description: "The definition in one line.",
      resolve: ({ metric }) => [metric.expression, metric.grain && `by ${metric.grain}`].filter(Boolean).join(" "),
    }),
    definition: t.field({
      type: Definition,
      description: "How it is computed.",
      resolve: ({ metric }) => metric,
    }),
    metricLineage: t.field({
      type: MetricLineageType,
      description: "The assets that it stands on and what uses it.",
      resolve: async (metric, _args, context) => {
        const [sourceAssets, downstream] = await Promise.all([
          findSourceAssets(metric, context),
          loadAllNeighbours(metric.id, "downstream", context),
        ]);
        return { sourceAssets, downstream };
      },
    }),
    audit: t.field({
      type: [CertificationEventType],
      description: "The history of its certification, oldest first.",
      resolve: toAudit,
    }),
  }),
});

const MetricConnection = connectionType("Metric", "metric", Metric);

builder.queryField("metric", (t) =>
  t.field({
    type: Metric,
    nullable: true,
    description: "One metric; null when there is none.",
    extensions: requires("read"),
    args: { id: t.arg.id({ required: true, description: "Its id." }) },
    resolve: async (_root, { id }, context) => {
      const node = await context.loaders.nodes.load(id);
      return isMetric(node) ? node : null;
    },
  }),
);

builder.queryField("metrics", (t) =>
  t.field({
    type: MetricConnection,
    description: "Metrics in the order of their names, or by relevance where there is a search.",
    extensions: requires("read"),
    args: {
      search: t.arg.string({ description: "Words to find in names, descriptions and tags." }),
      certification: t.arg({ type: Certification, description: "Only metrics with this certification." }),
      tag: t.arg.string({ description: "Only metrics with this tag." }),
      owner: t.arg.string({ description: "Only metrics of this owner: an e-mail address, in any case." }),
      ...pageArgs,
    },
    complexity: (args) => ({ field: 1, multiplier: args.first }),
    resolve: async (_root, args, context) => {
      const page = await listNodes(["metric"], args, context);
      const edges = page.edges.flatMap(({ node, ...edge }) => (isMetric(node) ? [{ ...edge, node }] : []));
      return { ...page, nodes: edges.map((edge) => edge.node), edges };
    },
  }),
);
