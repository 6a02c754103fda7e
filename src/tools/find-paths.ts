/** `find_paths`: how one asset is connected with another. */
import { z } from "zod";

import { MAX_DEPTH } from "../catalog/lineage.ts";
import { isDataset } from "../catalog/node-types.ts";
import { badField, notFound } from "../errors.ts";
import { defineTool, type ToolAnswer, type ToolContext } from "./tool.ts";
import { pageOf } from "./page.ts";
import {
  completeness,
  cut,
  edge,
  id,
  joinCompleteness,
  nodeType,
  page,
  paging,
  reference,
  showCompleteness,
} from "./schemas.ts";
import { findShortestPaths, type ShortestPaths } from "./shortest-paths.ts";

const stop = z.object({ id: z.string(), type: nodeType, name: z.string() });

const item = z.object({
  hops: z.int(),
  /** From the upstream end to the downstream end. */
  nodes: z.array(stop),
  edges: z.array(edge),
  ...cut,
});

type Reference = z.output<typeof reference>;

type Walk = ToolAnswer<"ToolWalkPaths">["lineage"];

/** How the two assets are compared: as columns, or as their tables. */
type Ends = readonly [from: Reference, to: Reference];

/** The shortest paths from one asset down to another. */
interface Ways {
  /** Null if there is no path. */
  paths: ShortestPaths | null;
  /** Whether each path begins at the downstream end. */
  isUpward: boolean;
  walk: Walk;
  /** Whether the walk covered all lineage in which a path could be. */
  isSure: boolean;
}

/** The paths in the direction that has any. */
interface Found {
  ends: Ends;
  ways: Ways;
  direction: "downstream" | "upstream" | null;
  isSure: boolean;
  completeness: Walk["completeness"];
}

export const findPaths = defineTool({
  name: "find_paths",
  title: "Find paths",
  description:
    "Tells whether and how data gets from one asset to another, in either direction: all shortest paths, with each asset on " +
    "the way. Take it for: does the dashboard depend on this table, how does this column get into that metric. Where no path " +
    "of columns is known, it takes a column's table.",
  input: z.strictObject({
    from: id,
    to: id,
    maxHops: z.int().min(1).max(MAX_DEPTH).default(MAX_DEPTH),
    uses: z.enum(["direct", "all"]).default("direct").describe("As in walk_lineage."),
    ...paging,
  }),
  output: z.object({
    from: reference,
    to: reference,
    direction: z
      .enum(["downstream", "upstream"])
      .nullable()
      .describe("downstream: data flows from `from` to `to`. null: no path was found."),
    isCertain: z.boolean().describe("False: no path was found, but a longer one, or one in a gap, may be there."),
    ...page,
    items: z.array(item),
    completeness,
  }),
  async run(input, context) {
    const { ends, ways, direction, isSure, completeness: known } = await find(input, context);
    const answer = {
      from: ends[0],
      to: ends[1],
      direction,
      isCertain: ways.paths !== null || (isSure && known.complete),
      completeness: showCompleteness(known),
    };
    return pageOf(toSource(ways, ends), ["find_paths", input], answer);
  },
});

interface Limits {
  maxHops: number;
  uses: "direct" | "all";
}

/** @throws AppError `not_found`, `bad_request` if the two are one */
async function find(
  { from, to, ...limits }: { from: string; to: string } & Limits,
  context: ToolContext,
): Promise<Found> {
  const [first, ...others] = await findEnds(from, to, context);
  let found = await findBetween(first, limits, context);
  for (const ends of others) if (found.direction === null) found = await findBetween(ends, limits, context);
  return found;
}

/**
 * The pairs to look for a path between, the most exact first. If only one of the two is a column, its table is also tried.
 */
async function findEnds(from: string, to: string, { ask }: ToolContext): Promise<[Ends, ...Ends[]]> {
  if (from === to) throw badField("to", "must be another asset than from");
  const { nodes } = await ask("ToolFindEnds", { ids: [from, to] });
  const [first, second] = nodes;
  if (!first || !("fqn" in first)) throw notFound("asset", from);
  if (!second || !("fqn" in second)) throw notFound("asset", to);
  const exact: Ends = [toReference(first), toReference(second)];
  if (isColumn(first) === isColumn(second)) return [exact];
  const tables: Ends = [tableOf(first) ?? exact[0], tableOf(second) ?? exact[1]];
  if (tables[0].id === tables[1].id) throw badField("to", "must be another table than the column's own");
  // No edge leads from a column to a table.
  return exact.some(({ type }) => isDataset(type)) ? [tables] : [exact, tables];
}

function toReference({ id: own, type, name, fqn }: Reference): Reference {
  return { id: own, type, name, fqn };
}

function tableOf(end: { parent: Reference | null } | object): Reference | null {
  return "parent" in end ? end.parent : null;
}

function isColumn({ type }: Reference): boolean {
  return type === "column";
}

async function findBetween([from, to]: Ends, limits: Limits, context: ToolContext): Promise<Found> {
  const ends: Ends = [from, to];
  const down = await findWays(from, to, limits, context);
  const found = { ends, ways: down, isSure: down.isSure, completeness: down.walk.completeness };
  if (down.paths !== null) return { ...found, direction: "downstream" };
  const up = await findWays(to, from, limits, context);
  if (up.paths !== null) return { ...found, ways: up, direction: "upstream", completeness: up.walk.completeness };
  return {
    ...found,
    direction: null,
    isSure: down.isSure && up.isSure,
    completeness: joinCompleteness([down.walk.completeness, up.walk.completeness]),
  };
}

/** Walks down from the upper asset. If that walk is too large, it walks up from the lower asset, which may have less lineage. */
async function findWays(upper: Reference, lower: Reference, limits: Limits, context: ToolContext): Promise<Ways> {
  // Only a walk from a column follows columns.
  if (isColumn(lower) && !isColumn(upper)) return walkBetween(lower, upper, "upstream", { limits, context });
  const down = await walkBetween(upper, lower, "downstream", { limits, context });
  if (down.paths !== null || !down.walk.truncated || isColumn(upper) !== isColumn(lower)) return down;
  return walkBetween(lower, upper, "upstream", { limits, context });
}

async function walkBetween(
  root: Reference,
  target: Reference,
  direction: "downstream" | "upstream",
  { limits: { maxHops, uses }, context }: { limits: Limits; context: ToolContext },
): Promise<Ways> {
  const variables = { id: root.id, direction, depth: maxHops, uses };
  const { lineage: walk } = await context.ask("ToolWalkPaths", variables);
  const paths = await findShortestPaths({ ...walk, root: root.id, direction }, target.id, context);
  const isDeep = walk.nodes.some(({ depth }) => depth === maxHops);
  return { paths, isUpward: direction === "upstream", walk, isSure: !walk.truncated && !isDeep };
}

/** Converts paths of ids to items. Each item begins at its upstream end. */
function tellWays(ways: readonly string[][], { walk, isUpward }: Ways, ends: readonly Reference[]): Item[] {
  const downward = ways.map((way) => (isUpward ? way.toReversed() : way));
  const told = new Set(downward.flat());
  const stops = new Map(
    [...ends, ...walk.nodes.filter((each) => told.has(each.id))].map((each) => [each.id, toStop(each)]),
  );
  const between = walk.edges.filter(({ from, to }) => told.has(from) && told.has(to));
  const edges = Map.groupBy(between, ({ from, to }) => `${from} ${to}`);
  return downward.map((way) => ({
    hops: way.length - 1,
    nodes: way.map((each) => stops.get(each)).filter((each) => each !== undefined),
    edges: way.flatMap((each, i) => edges.get(`${each} ${way[i + 1]}`) ?? []),
  }));
}

function toStop({ id: self, type, name }: z.output<typeof stop>): z.output<typeof stop> {
  return { id: self, type, name };
}

type Item = z.input<typeof item>;

/** Pages of paths. The key of a path is its index in the list. */
function toSource(found: Ways, ends: readonly Reference[]): Parameters<typeof pageOf<Item, object>>[0] {
  const { paths } = found;
  const total = paths === null ? 0 : paths.total;
  return {
    total,
    read(after, limit) {
      const start = after === null ? 0 : parseCount(after);
      return {
        items: tellWays(paths?.list(start, limit) ?? [], found, ends),
        keyOf: (_, index) => String(start + index + 1),
        hasMore: (count) => total === null || start + count < total,
      };
    },
  };
}

function parseCount(text: string): number {
  const count = z.coerce.number().int().min(0).safeParse(text).data;
  if (count === undefined) throw badField("cursor", "is not a cursor that this service gave out");
  return count;
}
