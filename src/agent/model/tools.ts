/** What a language model may look up: GraphQL operations, run as whoever asks. None changes anything. */
import { z } from "zod";

import { ASSET_TYPES } from "../../catalog/asset.ts";
import { DIRECTIONS } from "../../catalog/edge.ts";
import { MAX_DEPTH } from "../../catalog/lineage.ts";
import { MAX_SEARCH_CHARACTERS } from "../../catalog/search.ts";
import { plain, shorten } from "../answers/words.ts";

/**
 * Runs an operation of `schema/tools` with the rights of whoever asks.
 * @throws AppError as the operation does
 */
export type RunTool = (operation: string, variables: Readonly<Record<string, unknown>>) => Promise<unknown>;

export interface Tool {
  name: string;
  description: string;
  /** What a call is checked against; its keys are the operation's variables. */
  input: z.ZodObject;
  operation: string;
}

const MAX_ID_CHARACTERS = 200;
/** Of a list; how many were left out is said. */
const MAX_ITEMS = 60;
const MAX_TEXT = 300;

const search = z.string().min(1).max(MAX_SEARCH_CHARACTERS).describe("Words of the name or description.");
const id = z.string().min(1).max(MAX_ID_CHARACTERS).describe("An id from an earlier answer.");

export const TOOLS: readonly Tool[] = [
  {
    name: "find_assets",
    description: "Finds tables, models, dashboards, pipelines and columns by words.",
    input: z.strictObject({ search, type: z.enum(ASSET_TYPES).optional().describe("Only this type.") }),
    operation: "FindAssets",
  },
  {
    name: "find_metrics",
    description: "Finds metrics by words.",
    input: z.strictObject({ search }),
    operation: "FindMetrics",
  },
  {
    name: "describe_asset",
    description: "An asset with its columns, owner, certification and direct neighbours.",
    input: z.strictObject({ id }),
    operation: "DescribeAsset",
  },
  {
    name: "describe_metric",
    description: "A metric with its definition, owner, certification and direct neighbours.",
    input: z.strictObject({ id }),
    operation: "DescribeMetric",
  },
  {
    name: "trace_lineage",
    description: "Everything that feeds an asset or metric (upstream), or that it feeds (downstream), by hops.",
    input: z.strictObject({
      id,
      direction: z.enum(DIRECTIONS),
      depth: z.number().int().min(1).max(MAX_DEPTH).describe("Hops, at most."),
    }),
    operation: "TraceLineage",
  },
];

/** What an operation answered, as a model may read it: in one line each, and no longer than it needs to be. */
export function trimResult(value: unknown): unknown {
  if (typeof value === "string") return shorten(plain(value), MAX_TEXT);
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map(trimResult);
    return value.length > MAX_ITEMS ? [...items, `and ${value.length - MAX_ITEMS} more`] : items;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, trimResult(inner)]));
}

/** Every id in what an operation answered. */
export function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "id" && typeof inner === "string" ? [inner] : idsIn(inner),
  );
}
