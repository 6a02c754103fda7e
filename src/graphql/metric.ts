/** Metrics: what a business measures, how it is computed, and from which assets. */
import { type CatalogNode, isMetric } from "../catalog/asset.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import { parseSearch } from "../catalog/search.ts";
import { fold } from "../catalog/text.ts";
import { badField } from "../errors.ts";
import { toNodeId } from "../ids.ts";
import { findLapsed, type LapsedMetric } from "../metrics/find-lapsed.ts";
import { namedSources } from "../catalog/dependencies/named-sources.ts";
import { asOfArgs } from "./as-of.ts";
import { builder, requires, typed } from "./builder.ts";
import type { Neighbour } from "../graph/catalog-graph.ts";
import { CertificationEventType, listAudit } from "./certification-event.ts";
import { connectionTypes, MAX_PAGE_SIZE, pageArgs } from "./connection.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";
import { Certification, MetricKind, NodeOrder } from "./enums.ts";
import { findSourceAssets, findSourceColumns, loadAllNeighbours } from "./metric-sources.ts";
import {
  COUNT_OF_NODES,
  listNodes,
  ORDER_DESCRIPTION,
  RESPONSIBLE_DESCRIPTION,
  SEARCH_FILTERS,
  parseSearchText,
} from "./node-list.ts";
import { CatalogNodeType, ColumnUseType, MetricType, NodeInterface, findNode } from "./refs.ts";
import { explainHit, MATCHED_DESCRIPTION, SearchMatchType } from "./search-match.ts";

/** The assumed length of a list in a query's cost. */
const ASSUMED_LENGTH = 20;
/** The assumed number of uses. */
const ASSUMED_USES = 3;

/** That of a metric which is only referenced. */
const UNKNOWN_DEFINITION: Omit<MetricDefinition, "kind" | "displayName"> = {
  expression: "",
  grain: "",
  dimensions: [],
  filters: [],
};

const Definition = builder.objectRef<typeof UNKNOWN_DEFINITION>("MetricDefinition").implement({
  description: "How a metric is computed.",
  fields: (t) => ({
    expression: t.exposeString("expression", {
      description: "SQL, or a formula over other metrics; empty for a metric that is only referenced.",
    }),
    grain: t.string({
      nullable: true,
      description: "The time grain, such as `day`; null if none is given.",
      resolve: ({ grain }) => grain || null,
    }),
    dimensions: t.exposeStringList("dimensions", { description: "The dimensions by which it can be broken down." }),
    filters: t.exposeStringList("filters", { description: "SQL conditions that apply to all of its values." }),
  }),
});

interface MetricLineage {
  sourceAssets: CatalogNode[];
  downstream: CatalogNode[];
}

const SourceColumnType = builder.objectRef<Neighbour>("SourceColumn").implement({
  description: "A column that a metric is computed from.",
  fields: (t) => ({
    column: t.expose("node", typed(CatalogNodeType, "The column.")),
    uses: t.expose("uses", {
      type: [ColumnUseType],
      description: "How it is used; an empty list if that is unknown.",
      complexity: { field: 1, multiplier: ASSUMED_USES },
    }),
  }),
});

const MetricLineageType = builder.objectRef<MetricLineage>("MetricLineage").implement({
  description: "The assets that a metric is computed from, and what uses it.",
  fields: (t) => ({
    sourceAssets: t.expose("sourceAssets", {
      type: [CatalogNodeType],
      description: "The assets that it is computed from, directly or through other metrics.",
      complexity: { field: 1, multiplier: ASSUMED_LENGTH },
    }),
    downstream: t.expose("downstream", {
      type: [CatalogNodeType],
      description: "The metrics, dashboards and pipelines that use it directly.",
      complexity: { field: 1, multiplier: ASSUMED_LENGTH },
    }),
  }),
});

MetricType.implement({
  description: "A number that a business measures, such as its revenue.",
  interfaces: [NodeInterface, CatalogNodeType],
  isTypeOf: (value) => (value as CatalogNode).type === "metric",
  fields: (t) => ({
    kind: t.field({
      type: MetricKind,
      nullable: true,
      description: "How it is computed; null for a metric that is only referenced.",
      resolve: ({ metric }) => metric?.kind ?? null,
    }),
    definitionSummary: t.string({
      description: "The definition in one line; empty for a metric that is only referenced.",
      resolve: ({ metric }) => [metric?.expression, metric?.grain && `by ${metric.grain}`].filter(Boolean).join(" "),
    }),
    definition: t.field({
      type: Definition,
      description: "How it is computed.",
      resolve: ({ metric }) => metric ?? UNKNOWN_DEFINITION,
    }),
    metricLineage: t.field({
      type: MetricLineageType,
      description: "The assets that it is computed from, and what uses it.",
      resolve: async (metric, _args, context) => {
        const [sourceAssets, downstream] = await Promise.all([
          findSourceAssets(metric, context),
          loadAllNeighbours({ id: metric.id, direction: "downstream" }, context),
        ]);
        return { sourceAssets, downstream: downstream.map(({ node }) => node) };
      },
    }),
    sourceColumns: t.field({
      type: [SourceColumnType],
      description: "The columns that it is computed from, directly or through other metrics.",
      complexity: { field: 1, multiplier: ASSUMED_LENGTH },
      resolve: findSourceColumns,
    }),
    namedSources: t.field({
      type: [CatalogNodeType],
      description:
        "What people named as its sources when they defined it; an empty list for a metric that a connector states.",
      complexity: { field: 1, multiplier: ASSUMED_LENGTH },
      resolve: async (metric, _args, context) => {
        const nodes = await Promise.all(namedSources(metric).map((id) => findNode(id, context)));
        return nodes.filter((node) => node !== null);
      },
    }),
    audit: t.field({
      type: [CertificationEventType],
      description: "The history of its certification, the oldest step first. All steps, unless a page is asked for.",
      args: {
        first: t.arg.int({ description: `At most how many steps, 1 to ${MAX_PAGE_SIZE}.` }),
        after: t.arg.int({ description: "Begin after the step at this place, such as the last step of a page." }),
      },
      complexity: ({ first }) => ({ field: 1, multiplier: first ?? ASSUMED_LENGTH }),
      resolve: listAudit,
    }),
  }),
});

const { connection: MetricConnection, edge: MetricEdge } = connectionTypes(
  "Metric",
  "metric",
  MetricType,
  COUNT_OF_NODES,
);

builder.objectField(MetricEdge, "matched", (t) =>
  t.field({
    type: SearchMatchType,
    nullable: true,
    description: MATCHED_DESCRIPTION,
    resolve: (edge, _args, context) => explainHit(edge, context),
  }),
);

/** The first hit of a search is a metric with this very name, if there is one. */
async function findByName(name: string, context: GraphqlContext): Promise<CatalogNode | null> {
  const query = parseSearch(parseSearchText(name));
  if (query === null) return null;
  const page = { after: null, limit: 1 };
  const { items } = await context.graph.searchNodes(workspaceOf(context), { types: ["metric"] }, query, page);
  const [hit] = items;
  return hit !== undefined && fold(hit.node.name) === fold(name) ? hit.node : null;
}

builder.queryField("metric", (t) =>
  t.field({
    type: MetricType,
    nullable: true,
    description: "One metric, by its id or by its name; null if there is none.",
    extensions: requires("read"),
    args: {
      id: t.arg.id({ description: "Its id. Give this or `name`." }),
      name: t.arg.string({
        description: "Its own name, in any case. Of several metrics with one name, a certified one comes first.",
      }),
      ...asOfArgs,
    },
    resolve: async (_root, { id, name }, context) => {
      if ((id == null) === (name == null)) throw badField("id", "give either id or name");
      const node = id == null ? await findByName(name ?? "", context) : await findNode(toNodeId(id), context);
      return isMetric(node) ? node : null;
    },
  }),
);

builder.queryField("metrics", (t) =>
  t.field({
    type: MetricConnection,
    description:
      "Metrics in the order of their fully qualified names, in another one with `orderBy`, or by relevance with `search`.",
    extensions: requires("read"),
    args: {
      search: t.arg.string({ description: `Words to find in names, descriptions and tags. ${SEARCH_FILTERS}` }),
      certification: t.arg({ type: Certification, description: "Only metrics with this certification." }),
      tag: t.arg.string({ description: "Only metrics with this tag." }),
      owner: t.arg({ type: "EmailAddress", description: "Only metrics of this owner, in any case." }),
      unowned: t.arg.boolean({ description: "True: only metrics without an owner." }),
      responsible: t.arg.string({ description: RESPONSIBLE_DESCRIPTION }),
      described: t.arg.boolean({
        description: "True: only metrics with a description. False: only those without one.",
      }),
      orderBy: t.arg({ type: NodeOrder, description: ORDER_DESCRIPTION }),
      ...asOfArgs,
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

const LapsedMetricType = builder.objectRef<LapsedMetric>("LapsedMetric").implement({
  description: "A metric whose certification lapsed.",
  fields: (t) => ({
    metric: t.expose("metric", typed(MetricType, "The metric.")),
    lapsedAt: t.expose("at", typed("DateTime", "When its certification lapsed.")),
    reason: t.exposeString("reason", { description: "What changed." }),
  }),
});

builder.queryField("lapsedMetrics", (t) =>
  t.field({
    type: [LapsedMetricType],
    description: `The metrics whose certification lapsed and was not renewed, the last one first: at most ${MAX_PAGE_SIZE}.`,
    extensions: requires("read"),
    args: {
      responsible: t.arg.string({
        description: "Only metrics that this person or team owns, or that this person had certified, in any case.",
      }),
    },
    complexity: { field: 1, multiplier: ASSUMED_LENGTH },
    resolve: async (_root, { responsible }, context) => {
      const { budget, graph, nextTurn } = context;
      const found = await findLapsed(graph, workspaceOf(context), responsible ?? null, (rows) => {
        budget.draw("rows", rows);
        return nextTurn();
      });
      return found.slice(0, MAX_PAGE_SIZE);
    },
  }),
);
