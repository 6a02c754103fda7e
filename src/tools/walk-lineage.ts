/** `walk_lineage`: what feeds an asset, or what it feeds, within some hops. */
import { z } from "zod";

import { type Direction, DIRECTIONS } from "../catalog/edge.ts";
import { DEFAULT_DEPTH, MAX_DEPTH } from "../catalog/lineage.ts";
import { badField } from "../errors.ts";
import { defineTool, type ToolAnswer } from "./tool.ts";
import { pageOfList } from "./page.ts";
import {
  certification,
  completeness,
  cut,
  edge,
  id,
  isOwnedBy,
  name,
  nodeTypes,
  owned,
  page,
  paging,
  reference,
  showCompleteness,
} from "./schemas.ts";

/** Edges that one item shows. `edgesTotal` counts all of them. */
const MAX_EDGES = 50;

const node = reference.extend({ tags: z.array(z.string()), certification, ...owned });

const item = node.extend({
  depth: z.int().describe("Fewest hops."),
  edges: z.array(edge).describe("To the root and to items before it."),
  edgesTotal: z.int(),
  ...cut,
});

type Lineage = ToolAnswer<"ToolWalkLineage">["lineage"];
type Edge = Lineage["edges"][number];
type Item = ReturnType<typeof toItems>[number];

export const walkLineage = defineTool({
  name: "walk_lineage",
  title: "Walk lineage",
  description:
    "Follows the flow of data from one asset, metric or column (from a column, along columns; assess_impact tells all that depends on it): upstream to all that feeds it, " +
    "downstream to all that it feeds, the nearest first, with edges. Take it for sources, consumers and origins; assess_impact " +
    "for what a change would break, find_paths for how two are connected. deeper: true says that it stopped at its depth and " +
    'there is more behind: then an empty answer is no "none".',
  input: z.strictObject({
    id,
    direction: z.enum(DIRECTIONS).describe("upstream: what it is made from."),
    depth: z
      .int()
      .min(1)
      .max(MAX_DEPTH)
      .optional()
      .describe(`Hops; ${DEFAULT_DEPTH} if left out, ${MAX_DEPTH} with a filter.`),
    uses: z
      .enum(["direct", "all"])
      .default("direct")
      .describe("From a column: direct = values alone; all = joins, filters and groupings too."),
    types: nodeTypes.optional(),
    tag: name.optional(),
    owner: name.optional().describe("E-mail address or name."),
    certification: certification.optional(),
    asOf: name.optional().describe("The lineage as it was: a date (its end in UTC), or an ISO 8601 time."),
    ...paging,
  }),
  output: z.object({
    root: z.string(),
    direction: z.enum(DIRECTIONS),
    depth: z.int(),
    reached: z.int().describe("How much is within depth, exactly, whatever the filters."),
    deeper: z.boolean().describe("Whether there is more behind depth."),
    ...page,
    items: z.array(item),
    completeness,
  }),
  async run(input, context) {
    const { id: root, direction, uses, asOf } = input;
    const isFiltered = [input.types, input.tag, input.owner, input.certification].some((each) => each !== undefined);
    // What a filter looks for may be far away, behind much that does not pass.
    const depth = input.depth ?? (isFiltered ? MAX_DEPTH : DEFAULT_DEPTH);
    if (input.types?.some((type) => !FOUND_FROM_COLUMNS.has(type))) {
      const { asset } = await context.ask("ToolRootType", { id: root, asOf });
      if (asset?.type === "column") throw badField("types", onlyFromTable(direction));
    }
    const { lineage } = await context.ask("ToolWalkLineage", { id: root, direction, depth, uses, asOf });
    const items = toItems(root, lineage).filter(passes(input));
    // If the walk was cut, the filters did not see all nodes, so the total is unknown.
    const whole = isFiltered ? null : lineage.totalNodes;
    const total = lineage.truncated ? whole : items.length;
    const list = { items, keyOf: (each: Item) => each.id, total, isCut: lineage.truncated };
    return pageOfList(list, ["walk_lineage", input], {
      root,
      direction,
      depth,
      reached: lineage.totalNodes,
      deeper: lineage.deeper,
      completeness: showCompleteness(lineage.completeness),
    });
  },
});

/**
 * What a walk from a column finds all of. It meets no table or model, and misses a dashboard or pipeline that reads the
 * whole table, so that an empty answer would say that there is none.
 */
const FOUND_FROM_COLUMNS: ReadonlySet<string> = new Set(["column", "metric"]);

function onlyFromTable(direction: Direction): string {
  const instead = direction === "downstream" ? "Take assess_impact" : "Walk from its table";
  return `can only be column or metric in a walk from a column. ${instead} for other types`;
}

/** Converts nodes to items. Each edge belongs to the item that comes later. */
function toItems(root: string, { nodes, edges }: Lineage) {
  const items = nodes.map(({ depth, node: found }) =>
    Object.assign(found, { depth, edges: new Array<Edge>(), edgesTotal: 0 }),
  );
  const indexes = new Map([[root, -1], ...items.map((each, index) => [each.id, index] as const)]);
  for (const each of edges) note(each, indexes, items);
  return items;
}

function note(each: Edge, indexes: ReadonlyMap<string, number>, items: readonly Item[]): void {
  const [from, to] = [indexes.get(each.from), indexes.get(each.to)];
  // The walk was cut before the other end.
  if (from === undefined || to === undefined) return;
  const later = items[Math.max(from, to)];
  if (later === undefined) return;
  later.edgesTotal += 1;
  if (later.edges.length < MAX_EDGES) later.edges.push(each);
}

interface Filters {
  types?: readonly string[] | undefined;
  tag?: string | undefined;
  owner?: string | undefined;
  certification?: string | undefined;
}

function passes({ types, tag, owner, certification: wanted }: Filters): (item: Item) => boolean {
  const isTheirs = owner === undefined ? () => true : isOwnedBy(owner);
  return (each) =>
    (types === undefined || types.includes(each.type)) &&
    (tag === undefined || each.tags.includes(tag)) &&
    (wanted === undefined || each.certification === wanted) &&
    isTheirs({ owner: each.owner ?? "", ownerName: each.ownerName ?? "" });
}
