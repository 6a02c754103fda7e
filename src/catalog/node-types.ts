/**
 * The table of node types. Whatever depends on a node's type alone is a column of this table or derived from it: the
 * lists of types, the enums and counts of GraphQL, the kinds of ids, the levels of lineage. The UI's own table is
 * src/ui/parts/node-types.ts.
 */
interface NodeTypeRow {
  plural: string;
  /** Whether it is a dataset: a table or model, which has columns. */
  isDataset: boolean;
  /** The level of lineage that it belongs to. */
  level: "asset" | "column" | "both";
  /** The type as far as it is part of an id. Tables and models count as one, since connectors may disagree about them. */
  identity: string;
  /** The kind of an edge from what its own query reads to itself. */
  queryEdge: "defines" | "powers" | "reads";
  /** Where an impact lists it. What people look at comes first. */
  impactOrder: number;
  /** The description in the public schema. */
  description: string;
}

export const ASSET_TYPE_TABLE = {
  table: {
    plural: "tables",
    isDataset: true,
    level: "asset",
    identity: "relation",
    queryEdge: "defines",
    impactOrder: 4,
    description: "A table or view of a warehouse.",
  },
  model: {
    plural: "models",
    isDataset: true,
    level: "asset",
    identity: "relation",
    queryEdge: "defines",
    impactOrder: 4,
    description: "A table or view that SQL builds, such as a dbt model.",
  },
  dashboard: {
    plural: "dashboards",
    isDataset: false,
    level: "both",
    identity: "dashboard",
    queryEdge: "powers",
    impactOrder: 1,
    description: "A dashboard or report.",
  },
  pipeline: {
    plural: "pipelines",
    isDataset: false,
    level: "both",
    identity: "pipeline",
    queryEdge: "reads",
    impactOrder: 3,
    description: "Something that moves data, such as an export.",
  },
  column: {
    plural: "columns",
    isDataset: false,
    level: "column",
    identity: "column",
    queryEdge: "defines",
    impactOrder: 5,
    description: "A column of a table or model.",
  },
} as const satisfies Record<string, NodeTypeRow>;

/** Metrics are nodes of the graph beside the assets. They have lists of their own. */
export const NODE_TYPE_TABLE = {
  ...ASSET_TYPE_TABLE,
  metric: {
    plural: "metrics",
    isDataset: false,
    level: "both",
    identity: "metric",
    queryEdge: "defines",
    impactOrder: 2,
    description: "Something that a business measures.",
  },
} as const satisfies Record<string, NodeTypeRow>;

export type NodeType = keyof typeof NODE_TYPE_TABLE;
export type AssetType = keyof typeof ASSET_TYPE_TABLE;
export type DatasetType = {
  [Type in NodeType]: (typeof NODE_TYPE_TABLE)[Type]["isDataset"] extends true ? Type : never;
}[NodeType];

// The keys of the tables are exactly these types; `Object.keys` does not know that.
export const ASSET_TYPES = Object.keys(ASSET_TYPE_TABLE) as readonly AssetType[];
export const NODE_TYPES = Object.keys(NODE_TYPE_TABLE) as readonly NodeType[];
export const DATASET_TYPES: readonly DatasetType[] = NODE_TYPES.filter(isDataset);

/** The types that a filter names, each once. */
export function namedTypes({ types }: { types: readonly NodeType[] | "asset" }): NodeType[] {
  return [...new Set(types === "asset" ? ASSET_TYPES : types)];
}

/** Whether it is a table or model: it has columns, and queries read its rows. */
export function isDataset(type: NodeType): type is DatasetType {
  return NODE_TYPE_TABLE[type].isDataset;
}

/** Orders what a change reaches: what people look at comes first. */
export function compareImpactOrder(a: { type: NodeType }, b: { type: NodeType }): number {
  return NODE_TYPE_TABLE[a.type].impactOrder - NODE_TYPE_TABLE[b.type].impactOrder;
}

/** Makes a value for each type. */
export function forEachType<Value>(make: (type: NodeType) => Value): Record<NodeType, Value> {
  // The entries are of all types, each once.
  return Object.fromEntries(NODE_TYPES.map((type) => [type, make(type)])) as Record<NodeType, Value>;
}
