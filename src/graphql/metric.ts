/** Metrics: what a business measures, how it is computed, and from which assets. */
import { type CatalogNode, isMetric } from "../catalog/asset.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import { parseSearch } from "../catalog/search.ts";
import { fold } from "../catalog/text.ts";
import { badField } from "../errors.ts";
import { type NodeId, toNodeId } from "../ids.ts";
import { findLapsed, type LapsedMetric } from "../metrics/find-lapsed.ts";
import { namedSources } from "../catalog/dependencies/named-sources.ts";
import { asOfArgs } from "./as-of.ts";
import { builder, emptyAsNull, listOf, objectType, queryField, typed, typedOrNull } from "./builder.ts";
import type { Neighbour, NeighbourQuery } from "../graph/catalog-graph.ts";
import { CertificationEventType, listAudit } from "./certification-event.ts";
import { connectionTypes, MAX_PAGE_SIZE, pageArgs } from "./connection.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";
import { Certification, MetricKind, NodeOrder } from "./enums.ts";
import {
  COUNT_OF_NODES,
  listNodes,
  ORDER_DESCRIPTION,
  OWNER_DESCRIPTION,
  parseSearchText,
  RESPONSIBLE_DESCRIPTION,
  SEARCH_FILTERS,
} from "./node-list.ts";
import { CatalogNodeType, ColumnUseType, findNode, MetricType, NodeInterface } from "./refs.ts";
import { explainHit, MATCHED_DESCRIPTION, SearchMatchType } from "./search-match.ts";
import { joinUses } from "../catalog/edge.ts";
import { neighboursOf } from "./neighbours.ts";

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

const Definition = objectType<typeof UNKNOWN_DEFINITION>("MetricDefinition", "How a metric is computed.").with({
  expression: typed("String", "SQL, or a formula over other metrics; empty for a metric that is only referenced."),
  grain: emptyAsNull("The time grain, such as `day`; null if none is given."),
  dimensions: typed(["String"], "The dimensions by which it can be broken down."),
  filters: typed(["String"], "SQL conditions that apply to all of its values."),
});

interface MetricLineage {
  sourceAssets: CatalogNode[];
  downstream: CatalogNode[];
}

const SourceColumnType = objectType<Neighbour>("SourceColumn", "A column that a metric is computed from.").with({
  column: (t) => t.expose("node", typed(CatalogNodeType, "The column.")),
  uses: listOf(ColumnUseType, "How it is used; an empty list if that is unknown.", ASSUMED_USES),
});

const MetricLineageType = objectType<MetricLineage>(
  "MetricLineage",
  "The assets that a metric is computed from, and what uses it.",
).with({
  sourceAssets: listOf(
    CatalogNodeType,
    "The assets that it is computed from, directly or through other metrics.",
    ASSUMED_LENGTH,
  ),
  downstream: listOf(CatalogNodeType, "The metrics, dashboards and pipelines that use it directly.", ASSUMED_LENGTH),
});

objectType(MetricType, "A number that a business measures, such as its revenue.", {
  interfaces: [NodeInterface, CatalogNodeType],
  isTypeOf: (value) => (value as CatalogNode).type === "metric",
}).with({
  kind: {
    ...typedOrNull(MetricKind, "How it is computed; null for a metric that is only referenced."),
    resolve: ({ metric }) => metric?.kind ?? null,
  },
  definitionSummary: {
    ...typed("String", "The definition in one line; empty for a metric that is only referenced."),
    resolve: ({ metric }) => [metric?.expression, metric?.grain && `by ${metric.grain}`].filter(Boolean).join(" "),
  },
  definition: {
    ...typed(Definition, "How it is computed."),
    resolve: ({ metric }) => metric ?? UNKNOWN_DEFINITION,
  },
  metricLineage: {
    ...typed(MetricLineageType, "The assets that it is computed from, and what uses it."),
    resolve: async (metric, _args, context) => {
      const [sourceAssets, downstream] = await Promise.all([
        findSourceAssets(metric, context),
        loadAllNeighbours({ id: metric.id, direction: "downstream" }, context),
      ]);
      return { sourceAssets, downstream: downstream.map(({ node }) => node) };
    },
  },
  sourceColumns: {
    ...listOf(
      SourceColumnType,
      "The columns that it is computed from, directly or through other metrics.",
      ASSUMED_LENGTH,
    ),
    resolve: findSourceColumns,
  },
  namedSources: {
    ...listOf(
      CatalogNodeType,
      "What people named as its sources when they defined it; an empty list for a metric that a connector states.",
      ASSUMED_LENGTH,
    ),
    resolve: async (metric, _args, context) => {
      const nodes = await Promise.all(namedSources(metric).map((id) => findNode(id, context)));
      return nodes.filter((node) => node !== null);
    },
  },
  audit: (t) =>
    t.field({
      type: [CertificationEventType],
      description: "The history of its certification, the oldest step first. All steps, unless a page is asked for.",
      args: {
        first: t.arg.int({ description: `At most how many steps, 1 to ${MAX_PAGE_SIZE}.` }),
        after: t.arg.int({ description: "Begin after the step at this place, such as the last step of a page." }),
      },
      complexity: ({ first }) => ({ field: 1, multiplier: first ?? ASSUMED_LENGTH }),
      resolve: listAudit,
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
    ...typedOrNull(SearchMatchType, MATCHED_DESCRIPTION),
    resolve: (edge, _args, context) => explainHit(edge, context),
  }),
);

/** How many hits are looked at for one with the name that people read. One with this very name comes first. */
const NAMED_HITS = 20;

async function findByName(name: string, context: GraphqlContext): Promise<CatalogNode | null> {
  const query = parseSearch(parseSearchText(name));
  if (query === null) return null;
  const page = { after: null, limit: NAMED_HITS };
  const { items } = await context.graph.searchNodes(workspaceOf(context), { types: ["metric"] }, query, page);
  const metrics = items.map(({ node }) => node).filter(isMetric);
  const isNamed = (text: string): boolean => fold(text) === fold(name);
  return (
    metrics.find((metric) => isNamed(metric.name)) ?? metrics.find(({ metric }) => isNamed(metric.displayName)) ?? null
  );
}

queryField("metric", "read", {
  ...typedOrNull(MetricType, "One metric, by its id or by its name; null if there is none."),
  args: builder.args((t) => ({
    id: t.id({ description: "Its id. Give this or `name`." }),
    name: t.string({
      description:
        "Its own name, or else the name that people read, in any case. Of several metrics with one name, a certified one comes first.",
    }),
    ...asOfArgs,
  })),
  resolve: async (_root, { id, name }, context) => {
    if ((id == null) === (name == null)) throw badField("id", "give either id or name");
    const node = id == null ? await findByName(name ?? "", context) : await findNode(toNodeId(id), context);
    return isMetric(node) ? node : null;
  },
});

queryField("metrics", "read", {
  type: MetricConnection,
  description:
    "Metrics in the order of their fully qualified names, in another one with `orderBy`, or by relevance with `search`.",
  args: builder.args((t) => ({
    search: t.string({ description: `Words to find in names, descriptions and tags. ${SEARCH_FILTERS}` }),
    certification: t.field({ type: Certification, description: "Only metrics with this certification." }),
    tag: t.string({ description: "Only metrics with this tag." }),
    owner: t.field({ type: "EmailAddress", description: OWNER_DESCRIPTION }),
    connector: t.string({ description: "Only metrics that this connector holds, by its name." }),
    responsible: t.string({ description: RESPONSIBLE_DESCRIPTION }),
    described: t.boolean({ description: "True: only metrics with a description. False: only those without one." }),
    orderBy: t.field({ type: NodeOrder, description: ORDER_DESCRIPTION }),
    ...asOfArgs,
    ...pageArgs,
  })),
  complexity: (args) => ({ field: 1, multiplier: args.first }),
  resolve: async (_root, args, context) => {
    const page = await listNodes(["metric"], args, context);
    const edges = page.edges.flatMap(({ node, ...edge }) => (isMetric(node) ? [{ ...edge, node }] : []));
    return { ...page, nodes: edges.map((edge) => edge.node), edges };
  },
});

const LapsedMetricType = objectType<LapsedMetric>("LapsedMetric", "A metric whose certification lapsed.").with({
  metric: typed(MetricType, "The metric."),
  lapsedAt: (t) => t.expose("at", typed("DateTime", "When its certification lapsed.")),
  reason: typed("String", "What changed."),
});

queryField("lapsedMetrics", "read", {
  type: [LapsedMetricType],
  description: `The metrics whose certification lapsed and was not renewed, the last one first: at most ${MAX_PAGE_SIZE}.`,
  args: builder.args((t) => ({
    responsible: t.string({
      description: "Only metrics that this person or team owns, or that this person had certified, in any case.",
    }),
  })),
  complexity: { field: 1, multiplier: ASSUMED_LENGTH },
  resolve: async (_root, { responsible }, context) => {
    const { budget, graph, nextTurn } = context;
    const found = await findLapsed(graph, workspaceOf(context), responsible ?? null, (rows) => {
      budget.draw("rows", rows);
      return nextTurn();
    });
    return found.slice(0, MAX_PAGE_SIZE);
  },
});

/** How many neighbours one call loads. Few metrics have more. */
const NEIGHBOURS_AT_ONCE = 1_000;

type Asked = Pick<NeighbourQuery, "id" | "direction" | "level">;

/** Finds its assets: first its own in the order of their keys, then those of the metrics that it is computed from. */
async function findSourceAssets(metric: CatalogNode, context: GraphqlContext): Promise<CatalogNode[]> {
  const found = await followMetrics(metric, undefined, context);
  return [...new Map(found.map(({ node }) => [node.id, node])).values()];
}

/** Finds its columns, each once, with all its uses. */
async function findSourceColumns(metric: CatalogNode, _args: unknown, context: GraphqlContext): Promise<Neighbour[]> {
  const found = (await followMetrics(metric, "column", context)).filter(({ node }) => node.type === "column");
  return [...Map.groupBy(found, ({ node }) => node.id).values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [{ ...first, uses: joinUses(same.flatMap(({ uses }) => uses)) }];
  });
}

/** Follows metrics upstream to their assets or columns, with one call to the graph for each level of metrics. */
async function followMetrics(
  metric: CatalogNode,
  level: NeighbourQuery["level"],
  context: GraphqlContext,
): Promise<Neighbour[]> {
  const reached: Neighbour[] = [];
  const seen = new Set([metric.id]);
  let frontier = [metric.id];
  while (frontier.length > 0) {
    const load = (id: NodeId) => loadAllNeighbours({ id, direction: "upstream", level }, context);
    const found = (await Promise.all(frontier.map(load))).flat();
    reached.push(...found.filter(({ node }) => node.type !== "metric"));
    const metrics = new Set(found.filter(({ node }) => node.type === "metric").map(({ node }) => node.id));
    frontier = [...metrics].filter((id) => !seen.has(id));
    for (const id of frontier) seen.add(id);
  }
  return reached;
}

async function loadAllNeighbours(asked: Asked, context: GraphqlContext): Promise<Neighbour[]> {
  const all: Neighbour[] = [];
  for (;;) {
    const query = { ...asked, first: NEIGHBOURS_AT_ONCE, after: all.at(-1)?.node.key ?? null };
    const found = await neighboursOf(context).load(query);
    all.push(...found.items);
    if (!found.hasMore) return all;
  }
}
