/** What changed in the catalog, the newest first. */
import { z } from "zod";

import type { ChangeEntryKind } from "../catalog/changes/change.ts";
import type { Direction } from "../catalog/edge.ts";
import { MAX_DEPTH } from "../catalog/lineage.ts";
import { isDuration, parseSpan, SPAN_FORMS } from "../catalog/time-span.ts";
import { badField, noConnector, notFound } from "../errors.ts";
import { nullIfTooEarly } from "../graph/history/no-history.ts";
import type { ChangePlace, ChangeQuery, PastChange } from "../graph/history/list-changes.ts";
import { type NodeId, toNodeId } from "../ids.ts";
import { builder, queryField, typedOrNull } from "./builder.ts";
import { CatalogChangeType, ChangeEntryKindType } from "./change-types.ts";
import {
  type CountedConnection,
  connectionTypes,
  type PageArgs,
  pageArgs,
  parsePageSize,
  toConnection,
} from "./connection.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";
import { WALK_COST } from "./lineage.ts";

const { connection: CatalogChangeConnection } = connectionTypes("CatalogChange", "change", CatalogChangeType, null);

/** A later page is of the span of the first one, which may be a duration before its time. */
const placeSchema = z.object({
  moment: z.int(),
  key: z.string().nullable(),
  since: z.string().nullable(),
  until: z.string(),
}) satisfies z.ZodType<ChangePlace>;

export const SINCE_DESCRIPTION = `Only changes from then on: ${SPAN_FORMS}. A date means its begin in UTC, and a duration begins with the history if that is later. The whole history if left out.`;
export const UNTIL_DESCRIPTION =
  "Only changes until then, in the same forms. A date means its end in UTC. Until now if left out.";

const changesArgs = builder.args((t) => ({
  since: t.string({ description: SINCE_DESCRIPTION }),
  until: t.string({ description: UNTIL_DESCRIPTION }),
  kinds: t.field({ type: [ChangeEntryKindType], description: "Only changes of these kinds; all if left out." }),
  about: t.id({ description: "Only changes of this asset, column or metric, of its columns, and of edges of it." }),
  upstreamOf: t.id({
    description: `Only changes of what is upstream of this asset or metric now, or was at \`since\`: at most ${MAX_DEPTH} hops away.`,
  }),
  downstreamOf: t.id({
    description: `Only changes of what is downstream of it now, or was at \`since\`: at most ${MAX_DEPTH} hops away. It cannot be given with \`upstreamOf\`.`,
  }),
  owner: t.field({
    type: "EmailAddress",
    description: "Only changes of what has this owner, in any case; null for what has no owner.",
  }),
  tag: t.string({ description: "Only changes of what has this tag." }),
  connector: t.string({ description: "Only changes of what this connector holds, by its name or id." }),
  ...pageArgs,
}));

builder.objectFields(CatalogChangeConnection, (t) => ({
  since: t.field({
    type: "DateTime",
    nullable: true,
    description: "Where the span begins: with the history, if that is later. Null if nothing was written yet.",
    resolve: ({ span }) => span?.since ?? null,
  }),
  until: t.field({ ...typedOrNull("DateTime", "Where the span ends."), resolve: ({ span }) => span?.until ?? null }),
}));

interface ChangesArgs
  extends
    PageArgs,
    Partial<
      Record<
        "since" | "until" | "about" | "upstreamOf" | "downstreamOf" | "owner" | "tag" | "connector",
        string | null | undefined
      >
    > {
  kinds?: readonly ChangeEntryKind[] | null | undefined;
}

queryField("changes", "read", {
  type: CatalogChangeConnection,
  nullable: true,
  description:
    "What changed in the catalog, the newest first. A connector's first sync lists nothing. A page may have fewer changes than " +
    "were asked for and still be followed by others: `pageInfo.nextCursor` says so.",
  args: changesArgs,
  complexity: WALK_COST,
  resolve: (_root, args, context) => listChanges(args, context),
});

async function listChanges(args: ChangesArgs, context: GraphqlContext): Promise<CountedConnection<PastChange>> {
  const { budget, graph, nextTurn, services } = context;
  const workspace = workspaceOf(context);
  const limit = parsePageSize(args.first);
  const { upstreamOf, downstreamOf } = args;
  if (upstreamOf && downstreamOf) throw badField("downstreamOf", "cannot be given with the other direction");
  const kinds = args.kinds ?? null;
  const asked = [workspace, "changes", args.since, args.until, kinds, args.about, upstreamOf, downstreamOf];
  const query = [...asked, args.owner, args.tag, args.connector];
  const after = args.after ? services.cursors.read(args.after, query, placeSchema) : null;
  const span = after ?? spanOf(args, services.auth.clock.now());
  const { since, until } = span;
  await nextTurn();
  const within = await findWithin(args, since, context);
  const connector = args.connector ? await services.metadata.connectors.findNamed(workspace, args.connector) : null;
  const wanted: ChangeQuery = {
    since,
    until,
    orBeginning: args.since != null && isDuration(args.since),
    ...(kinds !== null && { kinds }),
    ...(args.about && { about: toNodeId(args.about) }),
    ...(within !== null && { within }),
    ...(args.owner !== undefined && { owner: args.owner ?? "" }),
    ...(args.tag && { tag: args.tag }),
    ...(args.connector && { connector: connector?.knownAs ?? args.connector }),
  };
  const { items, next, begins } = await graph.listChanges(workspace, wanted, { after, limit });
  budget.draw(
    "rows",
    items.reduce((sum, { details }) => sum + 1 + details.length, 0),
  );
  // What one held that was removed is known by its name.
  if (args.connector && connector === null && items.length === 0 && after === null && next === null)
    throw noConnector(args.connector);
  const issue = (place: ChangePlace): string => services.cursors.issue(query, { ...place, since, until });
  const connection = toConnection(
    items.map((node) => ({ node })),
    {
      limit,
      hasMore: next !== null,
      after,
      cursorOf: ({ node }) => issue({ moment: node.moment.number, key: node.key }),
    },
  );
  // A page that ended early has its own place to go on from.
  const issueEndCursor = next === null ? connection.pageInfo.issueEndCursor : () => issue(next);
  const begin = since === null || (begins !== null && begins > since) ? begins : since;
  const pageInfo = { ...connection.pageInfo, issueEndCursor };
  return { ...connection, countAll: () => null, pageInfo, span: { since: begin, until } };
}

/** The whole history has no begin that anybody named. */
function spanOf({ since, until }: ChangesArgs, now: Date): { since: string | null; until: string } {
  const span = parseSpan({ since: since ?? EARLIEST, until }, now);
  return since == null ? { ...span, since: null } : span;
}

const EARLIEST = "1970-01-01";

/** What is in the lineage now or was at a time; null without a root. */
async function findWithin(
  { upstreamOf, downstreamOf }: ChangesArgs,
  since: string | null,
  context: GraphqlContext,
): Promise<ReadonlySet<NodeId> | null> {
  const root = upstreamOf || downstreamOf;
  if (!root) return null;
  const direction: Direction = upstreamOf ? "upstream" : "downstream";
  const { budget, graph, services } = context;
  const workspace = workspaceOf(context);
  const most = { maxNodes: services.maxLineageNodes, maxEdges: services.budgetLimits.rows };
  const query = { root: toNodeId(root), direction, depth: MAX_DEPTH, ...most };
  const walks = [await graph.walk(workspace, query)];
  // The list itself refuses a time before the history, and names its own field.
  if (since !== null) walks.push(await graph.readPast(since, "walk", workspace, query).catch(nullIfTooEarly));
  const found = walks.filter((walk) => walk !== null);
  if (found.length === 0) throw notFound("asset", root);
  for (const { nodes, edges, truncated } of found) {
    budget.draw("rows", nodes.length + edges.length);
    if (truncated) throw badField(`${direction}Of`, `has more than ${most.maxNodes} assets ${direction} of it`);
  }
  return new Set(found.flatMap(({ nodes }) => nodes.map(({ id }) => id)));
}
