/** `find_paths`: how one asset is connected with another. */
import { z } from "zod";

import { MAX_DEPTH } from "../catalog/lineage.ts";
import { badField, notFound } from "../errors.ts";
import { parseRows } from "./in-turns.ts";
import { pageOf } from "./page.ts";
import {
  completeness,
  completenessRow,
  cut,
  edge,
  id,
  nodeType,
  page,
  paging,
  reference,
  showCompleteness,
} from "./schemas.ts";
import { findShortestPaths, type ShortestPaths } from "./shortest-paths.ts";
import { defineTool, type ToolContext } from "./tool.ts";

const stop = z.object({ id: z.string(), type: nodeType, name: z.string() });

const item = z.object({
  hops: z.int(),
  nodes: z.array(stop).describe("From the upstream end to the downstream end."),
  edges: z.array(edge).describe("Between these."),
  ...cut,
});

const end = reference.extend({ parent: reference.nullable().optional() });

const answeredEnds = z.object({ nodes: z.array(end.nullable()) });

const answeredWalk = z.object({
  lineage: z.object({
    // `parseRows` checks these in slices, because there may be many.
    nodes: z.array(z.unknown()),
    edges: z.array(z.unknown()),
    truncated: z.boolean(),
    completeness: completenessRow,
  }),
});

const reached = stop.extend({ depth: z.int() });

type Reference = z.output<typeof reference>;

interface Walk extends Omit<z.output<typeof answeredWalk>["lineage"], "nodes" | "edges"> {
  nodes: z.output<typeof reached>[];
  edges: z.output<typeof edge>[];
}

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

export const findPaths = defineTool({
  name: "find_paths",
  title: "Find paths",
  description:
    "Tells whether and how data gets from one asset to another: all shortest paths between the two, in whichever direction " +
    "data flows, with each asset on the way. Take it for questions such as: does the dashboard depend on this table, or how " +
    "does this column get into that metric. Between a column and a table it takes the column's table.",
  input: z.strictObject({
    from: id.describe("Id of one asset, metric or column."),
    to: id.describe("Id of another one."),
    maxHops: z.int().min(1).max(MAX_DEPTH).default(MAX_DEPTH).describe(`The longest path, 1 to ${MAX_DEPTH} hops.`),
    uses: z
      .enum(["direct", "all"])
      .default("direct")
      .describe("Between columns: direct follows values alone, all follows joins, filters and groupings too."),
    ...paging,
  }),
  output: z.object({
    from: reference.describe("What was looked from: of a column, its table, if the other end is a table or model."),
    to: reference,
    direction: z
      .enum(["downstream", "upstream"])
      .nullable()
      .describe("downstream: data flows from `from` to `to`. upstream: the other way. null: no path was found."),
    isCertain: z
      .boolean()
      .describe(
        "False if no path was found, and there is more lineage than was looked at, or longer paths may be there.",
      ),
    ...page,
    items: z.array(item),
    completeness,
  }),
  async run(input, context) {
    const [from, to] = await findEnds(input.from, input.to, context);
    const down = await findWays(from, to, input, context);
    const up = down.paths === null ? await findWays(to, from, input, context) : null;
    const found = up?.paths == null ? down : up;
    const direction = found.paths === null ? null : found === up ? "upstream" : "downstream";
    const answer = {
      from,
      to,
      direction,
      isCertain: found.paths !== null || (down.isSure && (up?.isSure ?? true)),
      completeness: showCompleteness(found.walk.completeness),
    } as const;
    return pageOf(toSource(found, [from, to]), ["find_paths", input], answer);
  },
});

/** @throws AppError `not_found` */
async function findEnds(from: string, to: string, { ask }: ToolContext): Promise<[Reference, Reference]> {
  const { nodes } = await ask("ToolFindEnds", { ids: [from, to] }, answeredEnds);
  const [first, second] = nodes;
  if (!first) throw notFound("asset", from);
  if (!second) throw notFound("asset", to);
  const isTable = ({ type }: Reference): boolean => type === "table" || type === "model";
  // Columns and tables are connected through tables.
  const ends = [first, second].map((each, i) => {
    const other = i === 0 ? second : first;
    const { parent, ...self } = each;
    return parent != null && isTable(other) ? parent : self;
  });
  return [ends[0] ?? first, ends[1] ?? second];
}

/** Walks down from the upper asset. If that walk is too large, it walks up from the lower asset, which may have less lineage. */
async function findWays(
  upper: Reference,
  lower: Reference,
  { maxHops, uses }: { maxHops: number; uses: "direct" | "all" },
  context: ToolContext,
): Promise<Ways> {
  const find = async (root: string, target: string, direction: "downstream" | "upstream"): Promise<Ways> => {
    const { lineage } = await context.ask("ToolWalkPaths", { id: root, direction, depth: maxHops, uses }, answeredWalk);
    const nodes = await parseRows(lineage.nodes, reached, context);
    const walk = { ...lineage, nodes, edges: await parseRows(lineage.edges, edge, context) };
    const paths = root === target ? null : await findShortestPaths({ ...walk, root, direction }, target, context);
    const isDeep = nodes.some(({ depth }) => depth === maxHops);
    return { paths, isUpward: direction === "upstream", walk, isSure: !walk.truncated && !isDeep };
  };
  const down = await find(upper.id, lower.id, "downstream");
  if (down.paths !== null || !down.walk.truncated) return down;
  return find(lower.id, upper.id, "upstream");
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

/** Pages of paths. The key of a path is its place in the list. */
function toSource(found: Ways, ends: readonly Reference[]): Parameters<typeof pageOf<Item, object>>[0] {
  const { paths } = found;
  const total = paths === null ? 0 : paths.total;
  return {
    total,
    read(after, limit) {
      const start = after === null ? 0 : parseCount(after);
      return {
        items: tellWays(paths?.list(start, limit) ?? [], found, ends),
        keyOf: (_, place) => String(start + place + 1),
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
