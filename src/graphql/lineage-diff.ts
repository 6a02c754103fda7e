/** What is different between the lineage at two moments. */
import { DEFAULT_DEPTH, MAX_DEPTH } from "../catalog/lineage.ts";
import { DEFAULT_SPAN, isDuration, parseTime, SPAN_FORMS } from "../catalog/time-span.ts";
import { badField, noConnector, notFound } from "../errors.ts";
import { type ComparedLineage, compareLineages, type LineageQuery } from "../graph/history/compare-lineages.ts";
import { noHistory } from "../graph/history/no-history.ts";
import { readerAt } from "../graph/history/reader-at.ts";
import { toNodeId } from "../ids.ts";
import { MAX_LINEAGE_CHANGES } from "../what-if/lineage-changes.ts";
import { findChangesAround } from "../what-if/lineage-around.ts";
import { asOfArgs } from "./as-of.ts";
import { builder, listOf, objectType, queryField, typed, typedOrNull } from "./builder.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";
import { Direction } from "./enums.ts";
import { WALK_COST } from "./lineage.ts";
import { ASSUMED_LENGTH, EdgeDifferenceType, NodeDifferenceType } from "./lineage-diff-types.ts";

/** Of nodes that are there at both times, the nearest so many are compared, each with its columns. */
const MAX_COMPARED = 1_000;

export const COMPARE_WITH_DESCRIPTION = `The earlier time: ${SPAN_FORMS}. A date means its end in UTC. A duration begins with the history if that is later. ${DEFAULT_SPAN} if left out.`;
export const SAVED_IMPACT_DESCRIPTION =
  "Instead of an earlier time: the id of a saved impact, which is the last part of the link to it. The lineage is compared with how it would be with the manifest.";

interface DiffAnswer extends ComparedLineage {
  before: string;
  after: string | null;
  /** The name of the connector whose project the manifest is of. */
  connector: string | null;
}

const LineageDiffType = objectType<DiffAnswer>(
  "LineageDiff",
  "How lineage differs between two times, or would differ with a new manifest. SQL in another layout is no difference.",
).with({
  before: typed("DateTime", "The earlier time; with a manifest, when its impact was saved."),
  after: typedOrNull("DateTime", "The later time; null with a manifest."),
  connector: typedOrNull(
    "String",
    "With a manifest: the name of the connector whose project it is of. Null between two times.",
  ),
  nodes: listOf(
    NodeDifferenceType,
    "What was added, then what was removed, then what changed, each by name.",
    ASSUMED_LENGTH,
  ),
  edges: listOf(EdgeDifferenceType, "The edges, in the same order.", ASSUMED_LENGTH),
  unchangedNodes: typed("NonNegativeInt", "How many nodes are the same."),
  unchangedEdges: typed("NonNegativeInt", "How many edges are the same."),
  truncated: typed(
    "Boolean",
    `True if more than ${MAX_COMPARED} nodes are there at both times. Then only the nearest were compared; what was added and removed is complete. With a manifest: true if it changes more than ${MAX_LINEAGE_CHANGES} nodes or edges, of which only the first were saved.`,
  ),
});

queryField("lineageDiff", "read", {
  type: LineageDiffType,
  description:
    "How the lineage of an asset, or of all that a connector holds, differs between an earlier time and now, or the time `asOf`. With `savedImpact`, how that of an asset would differ with the manifest.",
  args: builder.args((t) => ({
    id: t.id({ description: "The asset, column or metric. Give this or `connector`." }),
    connector: t.string({ description: "A connector, by its name or id: its assets, and what feeds them directly." }),
    direction: t.field({ type: Direction, description: "Which way to walk from the asset. Both if left out." }),
    depth: t.int({ required: true, defaultValue: DEFAULT_DEPTH, description: `Hops, 1 to ${MAX_DEPTH}.` }),
    compareWith: t.string({ description: COMPARE_WITH_DESCRIPTION }),
    savedImpact: t.id({ description: SAVED_IMPACT_DESCRIPTION }),
    ...asOfArgs,
  })),
  complexity: 4 * WALK_COST,
  resolve: (_root, args, context) => diffLineage(args, context),
});

interface DiffArgs extends Pick<LineageQuery, "depth"> {
  id?: string | null | undefined;
  connector?: string | null | undefined;
  direction?: LineageQuery["direction"] | undefined;
  compareWith?: string | null | undefined;
  savedImpact?: string | null | undefined;
}

async function diffLineage(args: DiffArgs, context: GraphqlContext): Promise<DiffAnswer> {
  const { id, connector, direction = null, depth, compareWith, savedImpact } = args;
  if ((id == null) === (connector == null)) throw badField("id", "give either this or a connector");
  if (depth < 1 || depth > MAX_DEPTH) throw badField("depth", `must be between 1 and ${MAX_DEPTH}`);
  if (savedImpact != null && compareWith != null) throw badField("compareWith", "must be left out with a saved impact");
  if (savedImpact != null && id == null)
    throw badField("connector", "must be left out with a saved impact: name an asset");
  const { budget, graph, nextTurn, services } = context;
  const workspace = workspaceOf(context);
  const next = async (rows: number): Promise<void> => {
    budget.draw("rows", rows);
    await nextTurn();
  };
  const options = { maxNodes: services.maxLineageNodes, maxCompared: MAX_COMPARED, next };
  await nextTurn();
  if (savedImpact != null) {
    const saved = await services.savedImpacts.find(workspace, savedImpact);
    if (saved === null) throw notFound("saved impact", savedImpact);
    const { against, lineage } = saved.report;
    const query = { workspace, root: toNodeId(id ?? ""), direction, depth };
    const diff = await findChangesAround(graph, lineage, query, options);
    if (diff === null) throw notFound("asset", id ?? "");
    return { ...diff, before: saved.savedAt, after: null, connector: against };
  }
  const now = services.auth.clock.now();
  const before = await findBegin(compareWith ?? DEFAULT_SPAN, now, context);
  if (before === null) throw connector == null ? notFound("asset", id ?? "") : noConnector(connector);
  // Today's date means now, not its end.
  const asked = context.asOf ?? now.toISOString();
  const after = asked < now.toISOString() ? asked : now.toISOString();
  if (before > after) throw badField("compareWith", "must not be after the time that it is compared with");
  const named = connector == null ? null : await services.metadata.connectors.findNamed(workspace, connector);
  const of = connector == null ? { root: toNodeId(id ?? "") } : { connector: named?.knownAs ?? connector };
  const diff = await compareLineages(readerAt(graph, before), graph, { workspace, of, direction, depth }, options);
  if (diff === null) throw notFound("asset", id ?? "");
  // One that was removed is known by what it held.
  if (connector != null && named === null && diff.nodes.length + diff.unchangedNodes === 0)
    throw noConnector(connector);
  return { ...diff, before, after, connector: null };
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
