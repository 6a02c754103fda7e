/** The UI's table of node types. A type of the schema that has no row here does not compile. */
import type { gql } from "../graphql/graphql.ts";

export type NodeType = ReturnType<typeof gql.scalar<"NodeType">>;
export type AssetType = ReturnType<typeof gql.scalar<"AssetType">>;

interface NodeTypeRow {
  plural: string;
  /** The lines of its icon, as those in marks.tsx. */
  icon: string;
  /** The name of the token in tokens.css. */
  colour: `--type-${NodeType}`;
  hasColumns?: true;
}

const ASSET_TYPE_TABLE: Record<AssetType, NodeTypeRow> = {
  table: { plural: "Tables", icon: "M2 3h12v10H2ZM2 6.5h12M6.5 6.5V13", colour: "--type-table", hasColumns: true },
  model: {
    plural: "Models",
    icon: "M8 1.8 13.5 5v6L8 14.2 2.5 11V5ZM2.5 5 8 8.2 13.5 5M8 8.2v6",
    colour: "--type-model",
    hasColumns: true,
  },
  dashboard: {
    plural: "Dashboards",
    icon: "M2 2.5h5v6H2ZM9 2.5h5v3H9ZM9 7.5h5v6H9ZM2 10.5h5v3H2Z",
    colour: "--type-dashboard",
  },
  pipeline: {
    plural: "Pipelines",
    icon: "M4 5.5a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6ZM12 14.1a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6ZM4 5.5V8c0 3 3 4.3 6.2 4.3",
    colour: "--type-pipeline",
  },
  column: { plural: "Columns", icon: "M5.5 2h5v12h-5ZM5.5 6h5M5.5 10h5", colour: "--type-column" },
};

export const NODE_TYPE_TABLE: Record<NodeType, NodeTypeRow> = {
  ...ASSET_TYPE_TABLE,
  metric: { plural: "Metrics", icon: "M2.5 13.5h11M4 11V8M8 11V3M12 11V6", colour: "--type-metric" },
};

// The keys of the tables are exactly these types; `Object.keys` does not know that.
export const ASSET_TYPES = Object.keys(ASSET_TYPE_TABLE) as readonly AssetType[];
export const NODE_TYPES = Object.keys(NODE_TYPE_TABLE) as readonly NodeType[];

/** Makes a value from the row of each type. */
export function mapTypes<Value>(make: (row: NodeTypeRow) => Value): Record<NodeType, Value> {
  // The entries are of all types, each once.
  return Object.fromEntries(NODE_TYPES.map((type) => [type, make(NODE_TYPE_TABLE[type])])) as Record<NodeType, Value>;
}
