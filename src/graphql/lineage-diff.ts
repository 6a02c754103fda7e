/** What is different between the lineage at two moments. */
import type { DifferenceWord, EdgeDifference, NodeDifference } from "../catalog/changes/lineage-diff.ts";
import { DEFAULT_DEPTH, MAX_DEPTH } from "../catalog/lineage.ts";
import { DEFAULT_SPAN, isDuration, parseTime, SPAN_FORMS } from "../catalog/time-span.ts";
import { badField, notFound } from "../errors.ts";
import { type ComparedLineage, compareLineages, type LineageQuery } from "../graph/history/compare-lineages.ts";
import { noHistory } from "../graph/history/no-history.ts";
import { readerAt } from "../graph/history/reader-at.ts";
import { toNodeId } from "../ids.ts";
import { asOfArgs } from "./as-of.ts";
import { builder, requires } from "./builder.ts";
import { ChangedAssetType, ChangePartType } from "./change-types.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";
import { Direction, EdgeKind } from "./enums.ts";
import { WALK_COST } from "./lineage.ts";

/** The assumed length of a list in a query's cost. */
const ASSUMED_LENGTH = 100;
/** Of nodes that are there at both times, the nearest so many are compared, each with its columns. */
const MAX_COMPARED = 1_000;

export const COMPARE_WITH_DESCRIPTION = `The earlier time: ${SPAN_FORMS}. A date means its end in UTC. A duration begins with the history if that is later.`;

interface DiffAnswer extends ComparedLineage {
  before: string;
  after: string;
}

const Difference = builder.enumType("LineageDifference", {
  description: "How a node or an edge differs between two times.",
  values: {
    added: { description: "It is only there at the later time." },
    removed: { description: "It is only there at the earlier time." },
    changed: { description: "It is there at both times, and is not the same." },
  } satisfies Record<DifferenceWord, { description: string }>,
});

const NodeDifferenceType = builder.objectRef<NodeDifference>("LineageNodeDifference").implement({
  description: "An asset or metric that differs.",
  fields: (t) => ({
    difference: t.expose("difference", { type: Difference, description: "How it differs." }),
    asset: t.expose("node", { type: ChangedAssetType, description: "The asset, as it is afterwards; or as it was." }),
    details: t.expose("details", {
      type: [ChangePartType],
      description: "What changed if it is there at both times: SQL, a metric's expression, and columns.",
      complexity: { field: 1, multiplier: 5 },
    }),
  }),
});

const EdgeDifferenceType = builder.objectRef<EdgeDifference>("LineageEdgeDifference").implement({
  description: "An edge that differs.",
  fields: (t) => ({
    difference: t.expose("difference", { type: Difference, description: "How it differs." }),
    from: t.expose("from", { type: ChangedAssetType, description: "The upstream end." }),
    to: t.expose("to", { type: ChangedAssetType, description: "The downstream end." }),
    before: t.expose("before", { type: [EdgeKind], description: "What it meant before; empty if it was not there." }),
    after: t.expose("after", { type: [EdgeKind], description: "What it means afterwards; empty if it is gone." }),
  }),
});

const LineageDiffType = builder.objectRef<DiffAnswer>("LineageDiff").implement({
  description: "How lineage differs between two times. SQL in another layout is no difference.",
  fields: (t) => ({
    before: t.expose("before", { type: "DateTime", description: "The earlier time." }),
    after: t.expose("after", { type: "DateTime", description: "The later time." }),
    nodes: t.expose("nodes", {
      type: [NodeDifferenceType],
      description: "What was added, then what was removed, then what changed, each by name.",
      complexity: { field: 1, multiplier: ASSUMED_LENGTH },
    }),
    edges: t.expose("edges", {
      type: [EdgeDifferenceType],
      description: "The edges, in the same order.",
      complexity: { field: 1, multiplier: ASSUMED_LENGTH },
    }),
    unchangedNodes: t.expose("unchangedNodes", { type: "NonNegativeInt", description: "How many nodes are the same." }),
    unchangedEdges: t.expose("unchangedEdges", { type: "NonNegativeInt", description: "How many edges are the same." }),
    truncated: t.exposeBoolean("truncated", {
      description: `True if more than ${MAX_COMPARED} nodes are there at both times. Then only the nearest were compared; what was added and removed is complete.`,
    }),
  }),
});

builder.queryField("lineageDiff", (t) =>
  t.field({
    type: LineageDiffType,
    description:
      "How the lineage of an asset, or of all that a connector holds, differs between an earlier time and now, or the time `asOf`.",
    extensions: requires("read"),
    args: {
      id: t.arg.id({ description: "The asset, column or metric. Give this or `connector`." }),
      connector: t.arg.string({ description: "The name of a connector: its assets, and what feeds them directly." }),
      direction: t.arg({ type: Direction, description: "Which way to walk from the asset. Both if left out." }),
      depth: t.arg.int({ required: true, defaultValue: DEFAULT_DEPTH, description: `Hops, 1 to ${MAX_DEPTH}.` }),
      compareWith: t.arg.string({
        required: true,
        defaultValue: DEFAULT_SPAN,
        description: COMPARE_WITH_DESCRIPTION,
      }),
      ...asOfArgs,
    },
    complexity: 4 * WALK_COST,
    resolve: (_root, args, context) => diffLineage(args, context),
  }),
);

interface DiffArgs extends Pick<LineageQuery, "depth"> {
  id?: string | null | undefined;
  connector?: string | null | undefined;
  direction?: LineageQuery["direction"] | undefined;
  compareWith: string;
}

async function diffLineage(args: DiffArgs, context: GraphqlContext): Promise<DiffAnswer> {
  const { id, connector, direction = null, depth, compareWith } = args;
  if ((id == null) === (connector == null)) throw badField("id", "give either id or connector");
  if (depth < 1 || depth > MAX_DEPTH) throw badField("depth", `must be between 1 and ${MAX_DEPTH}`);
  const { budget, caller, graph, nextTurn, services } = context;
  const workspace = workspaceOf(context);
  const now = services.auth.clock.now();
  const before = await findBegin(compareWith, now, context);
  if (before === null) throw notFound(connector == null ? "asset" : "connector", connector ?? id ?? "");
  const after = context.asOf ?? now.toISOString();
  if (before > after) throw badField("compareWith", "must not be after the time that it is compared with");
  await services.turns.next(caller);
  const of = connector == null ? { root: toNodeId(id ?? "") } : { connector };
  const next = async (rows: number): Promise<void> => {
    budget.draw("rows", rows);
    await nextTurn();
  };
  const options = { maxNodes: services.maxLineageNodes, maxCompared: MAX_COMPARED, next };
  const diff = await compareLineages(readerAt(graph, before), graph, { workspace, of, direction, depth }, options);
  if (diff === null) throw notFound("asset", id ?? "");
  return { ...diff, before, after };
}

/**
 * The earlier time. A duration that is longer than the history begins with it.
 * @returns null if nothing was written yet
 */
async function findBegin(text: string, now: Date, context: GraphqlContext): Promise<string | null> {
  const asked = parseTime("compareWith", text, now, "end");
  const nothing = { after: { moment: 0, key: null }, limit: 1 };
  const span = { since: null, until: now.toISOString() };
  const { begins } = await context.graph.listChanges(workspaceOf(context), span, nothing);
  if (begins === null) return null;
  if (asked >= begins) return asked;
  if (!isDuration(text)) throw noHistory("compareWith", begins);
  return begins;
}
