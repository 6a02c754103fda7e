/** `walk_lineage`: what feeds an asset, or what it feeds, within some hops. */
import { z } from "zod";

import { DIRECTIONS } from "../catalog/edge.ts";
import { DEFAULT_DEPTH, MAX_DEPTH } from "../catalog/lineage.ts";
import { parseRows } from "./in-turns.ts";
import { pageOfList } from "./page.ts";
import {
  certification,
  completeness,
  completenessRow,
  cut,
  edge,
  id,
  isOwnedBy,
  name,
  nodeTypes,
  owned,
  ownedRow,
  page,
  paging,
  reference,
  showCompleteness,
} from "./schemas.ts";
import { defineTool, type ToolContext } from "./tool.ts";

/** Edges that one item shows. `edgesTotal` counts all of them. */
const MAX_EDGES = 50;

const node = reference.extend({ tags: z.array(z.string()), certification, ...owned });

const item = node.extend({
  depth: z.int().describe("Fewest hops from where the walk began."),
  edges: z
    .array(edge)
    .describe(
      `Its edges to where the walk began and to items before it, so that each edge is told once: the first ${MAX_EDGES}.`,
    ),
  edgesTotal: z.int().describe("How many such edges there are."),
  ...cut,
});

const answered = z.object({
  lineage: z.object({
    // `parseRows` checks these in slices, because there may be many.
    nodes: z.array(z.unknown()),
    edges: z.array(z.unknown()),
    totalNodes: z.int(),
    truncated: z.boolean(),
    completeness: completenessRow,
  }),
});

const nodeRow = z.object({ depth: z.int(), node: node.extend(ownedRow) });

type Edge = z.output<typeof edge>;
type Item = z.input<typeof item>;

export const walkLineage = defineTool({
  name: "walk_lineage",
  title: "Walk lineage",
  description:
    "Follows the flow of data from one asset, metric or column: upstream to all that feeds it, downstream to all that it " +
    "feeds, the nearest first, with the edges between them. From a column it walks columns. Take it for sources, consumers " +
    "and origins. For what a change would break take assess_impact, which weighs the evidence; for how two assets are " +
    "connected take find_paths.",
  input: z.strictObject({
    id: id.describe("Where to begin: the id of an asset, metric or column."),
    direction: z.enum(DIRECTIONS).describe("upstream: what it is made from. downstream: what is made from it."),
    depth: z.int().min(1).max(MAX_DEPTH).default(DEFAULT_DEPTH).describe(`Hops, 1 to ${MAX_DEPTH}.`),
    uses: z
      .enum(["direct", "all"])
      .default("direct")
      .describe("From a column: direct follows values alone, all follows joins, filters and groupings too."),
    types: nodeTypes.optional().describe("Only tell what is of these types. All is walked."),
    tag: name.optional().describe("Only tell what has this tag."),
    owner: name.optional().describe("Only tell what this owner has: an e-mail address or a name, in any case."),
    certification: certification.optional().describe("Only tell what has this certification."),
    ...paging,
  }),
  output: z.object({
    root: z.string().describe("Where the walk began. It is not among the items."),
    direction: z.enum(DIRECTIONS),
    depth: z.int(),
    reached: z.int().describe("How much is within reach, exactly, whatever the filters."),
    ...page,
    items: z.array(item),
    completeness,
  }),
  async run(input, context) {
    const { id: root, direction, depth, uses } = input;
    const { lineage } = await context.ask("ToolWalkLineage", { id: root, direction, depth, uses }, answered);
    const all = await toItems(root, lineage, context);
    const items = all.filter(passes(input));
    const isFiltered = [input.types, input.tag, input.owner, input.certification].some((each) => each !== undefined);
    // If the walk was cut, the filters did not see all nodes, so the total is unknown.
    const whole = isFiltered ? null : lineage.totalNodes;
    const total = lineage.truncated ? whole : items.length;
    const list = { items, keyOf: (each: Item) => each.id, total, isCut: lineage.truncated };
    return pageOfList(list, ["walk_lineage", input], {
      root,
      direction,
      depth,
      reached: lineage.totalNodes,
      completeness: showCompleteness(lineage.completeness),
    });
  },
});

/** Converts nodes to items. Each edge belongs to the item that comes later. */
async function toItems(
  root: string,
  { nodes, edges }: { nodes: readonly unknown[]; edges: readonly unknown[] },
  context: ToolContext,
): Promise<Item[]> {
  const rows = await parseRows(nodes, nodeRow, context);
  const items = rows.map(({ depth, node: found }): Item => Object.assign(found, { depth, edges: [], edgesTotal: 0 }));
  const indexes = new Map([[root, -1], ...items.map((each, index) => [each.id, index] as const)]);
  for (const each of await parseRows(edges, edge, context)) note(each, indexes, items);
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
    isTheirs(each);
}
