/** Why the value of an asset or metric may have changed. */
import { z } from "zod";

import type { Cause, CauseEvidence as CauseEvidenceWord, CauseKind as CauseKindWord } from "../catalog/causes/cause.ts";
import type { CauseNode, Causes, OtherChange } from "../catalog/causes/cause.ts";
import { DEFAULT_SPAN, isDuration, parseSpan, SPAN_FORMS, type TimeSpan } from "../catalog/time-span.ts";
import { PEOPLE } from "../catalog/layers.ts";
import { badField, notFound } from "../errors.ts";
import { type NodeId, toNodeId, toSyncId } from "../ids.ts";
import type { Sync } from "../metadata/records.ts";
import { builder, listOf, objectType, queryField, typed, typedOrNull, wordsType } from "./builder.ts";
import { CompletenessType } from "./completeness.ts";
import { MAX_PAGE_SIZE, type PageEdge, type PageInfo, PageInfoType, parsePageSize } from "./connection.ts";
import { ConnectorType } from "./connector.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";
import { NodeType } from "./enums.ts";
import { findById } from "./loaders.ts";
import { CatalogNodeType, findNode } from "./refs.ts";
import { SyncType } from "./sync.ts";
import { PersonType, toPerson } from "./person.ts";
import { onlyOne } from "./only-one.ts";

/** The assumed length of lists in a query's cost. */
const ASSUMED_LENGTH = 50;
const ASSUMED_PATH = 5;
/** The cost of the question itself, whichever of its fields are selected. */
const CAUSES_COST = 2_000;

/** One page, with the span in which a later page must be as well. */
interface CausesAnswer extends Causes, TimeSpan {
  edges: PageEdge<Cause>[];
  pageInfo: PageInfo;
  troubled: Sync[];
}

const CauseKind = wordsType<CauseKindWord>("CauseKind", "What kind of change it was.", {
  definition: "A metric is defined otherwise.",
  expression: "SQL computes columns otherwise that count here.",
  rows: "SQL selects, joins or groups other rows.",
  sql: "SQL changed, and it is not known which part of it counts here.",
  type: "A column has another data type.",
  sources: "It comes from other columns, tables or assets than before.",
  removed: "It is gone.",
  added: "The asset that was asked about appeared.",
});

const CauseEvidence = wordsType<CauseEvidenceWord>("CauseEvidence", "How sure it is that the change counts.", {
  DIRECT: "Values come from what changed.",
  INDIRECT: "What changed decides which rows count.",
  UNKNOWN: "The lineage in between is not fully known.",
});

const CauseNodeType = objectType<CauseNode>(
  "CauseNode",
  "An asset, metric or column, as it was called when it changed.",
).with({
  id: typed("ID", "Its id."),
  type: typed(NodeType, "What it is."),
  name: typed("String", "Its own name."),
  fqn: typed("String", "Its fully qualified name."),
  node: {
    ...typedOrNull(CatalogNodeType, "The asset or metric as it is now; null if it is gone."),
    resolve: ({ id }, _args, context) => findNode(id, context),
  },
});

type Written = Pick<Cause, "author">;

const AT = {
  type: "DateTime",
  description: "When it was written.",
  resolve: ({ author }: Written) => author.at,
} as const;

const ACTOR = {
  nullable: true,
  description: "The person who made the change; null if a sync found it.",
  resolve: ({ author }: Written) => (author.connectorId === PEOPLE ? author.actor : null),
} as const;

const BY = {
  type: PersonType,
  nullable: true,
  description: "The person who made the change, by name; null if a sync found it.",
  resolve: ({ author }: Written) => (author.connectorId === PEOPLE ? toPerson(author.actor) : null),
} as const;

const CONNECTOR = {
  type: ConnectorType,
  nullable: true,
  description: "The connector whose sync found it; null if a person made it, or the connector is gone.",
  resolve: ({ author }: Written, _args: unknown, context: GraphqlContext) =>
    author.connectorId === PEOPLE ? null : findById(ConnectorType, author.connectorId, context),
} as const;

const CauseType = objectType<Cause>("Cause", "One change that can have changed the value.").with({
  kind: typed(CauseKind, "What kind of change it was."),
  evidence: typed(CauseEvidence, "How sure it is that the change counts."),
  at: (t) => t.field(AT),
  actor: (t) => t.string(ACTOR),
  by: (t) => t.field(BY),
  connector: (t) => t.field(CONNECTOR),
  sync: {
    ...typedOrNull(SyncType, "The sync that found it; null if a person made it, or the sync is not kept any more."),
    resolve: ({ author }, _args, context) =>
      author.syncId === "" ? null : findById(SyncType, toSyncId(author.syncId), context),
  },
  node: typed(CauseNodeType, "What changed."),
  path: listOf(CauseNodeType, "From the asset that was asked about to what changed, both included.", ASSUMED_PATH),
  distance: typed("NonNegativeInt", "How many edges are between the two."),
  sentence: typed("String", "What changed, in words."),
  details: listOf("String", "What exactly changed in SQL, in words.", ASSUMED_PATH),
  before: typed("String", "What was there before; empty if nothing short can be said."),
  after: typed("String", "What is there now; empty if nothing short can be said."),
  sqlBefore: typedOrNull("String", "The whole SQL before; null if no SQL changed."),
  sqlAfter: typedOrNull("String", "The whole SQL after; null if no SQL changed."),
});

const OtherChangeType = objectType<OtherChange>(
  "OtherChange",
  "What one sync or person changed of one asset, and cannot have changed the value.",
).with({
  at: (t) => t.field(AT),
  actor: (t) => t.string(ACTOR),
  by: (t) => t.field(BY),
  connector: (t) => t.field(CONNECTOR),
  node: typed(CauseNodeType, "The asset; its columns count as it."),
});

const TroubledSync = objectType<Sync>(
  "TroubledSync",
  "A sync of a connector on the path that did not read everything, so data may be older than its source.",
).with({
  sync: { ...typed(SyncType, "The sync."), resolve: (sync) => sync },
  connector: {
    ...typedOrNull(ConnectorType, "Its connector."),
    resolve: ({ connectorId }, _args, context) => findById(ConnectorType, connectorId, context),
  },
  reason: {
    ...typed("String", "The first error; empty if there is none."),
    resolve: ({ errors }) => (errors.find(({ severity }) => severity === "error") ?? errors[0])?.message ?? "",
  },
});

const CauseEdge = objectType<PageEdge<Cause>>("CauseEdge", "One of the changes, with its position.").with({
  cursor: { ...typed("String", "The position of the change."), resolve: ({ issueCursor }) => issueCursor() },
  node: typed(CauseType, "The change."),
});

const CausesType = objectType<CausesAnswer>(
  "Causes",
  "All changes within a span that can have changed the value of an asset or metric.",
).with({
  target: typed(CauseNodeType, "What was asked about."),
  since: typed("DateTime", "Where the span begins. What was written then is before it."),
  until: typed("DateTime", "Where the span ends."),
  nodes: (t) =>
    t.expose("items", listOf(CauseType, "The nearest first, then the surest, then the latest.", ASSUMED_LENGTH)),
  edges: listOf(CauseEdge, "The same with their cursors.", ASSUMED_LENGTH),
  total: typed("NonNegativeInt", "All of them, on this page or not."),
  pageInfo: typed(PageInfoType, "The position of this page."),
  others: typed(
    "NonNegativeInt",
    "How many other changes of the asset and of everything upstream cannot have changed it, such as comments and other columns. What one sync or person changed of one asset counts once.",
  ),
  otherChanges: listOf(OtherChangeType, "Those other changes, the latest first: at most 100.", ASSUMED_LENGTH),
  troubledSyncs: (t) =>
    t.expose("troubled", {
      ...listOf(
        TroubledSync,
        "The syncs in the span that did not read everything, of the connectors on the path: the newest 100, the newest first.",
        ASSUMED_PATH,
      ),
    }),
  truncated: typed(
    "Boolean",
    "True if so much changed that only the first and the last state of a part of the span were compared. What was changed and taken back in that part is missing.",
  ),
  completeness: (t) =>
    t.expose("coverage", {
      type: CompletenessType,
      description: "Where the lineage that the answer depends on may be incomplete.",
    }),
});

queryField("causes", "read", {
  ...typed(CausesType, "Why the value of an asset or metric may have changed within a span of time."),
  args: builder.args((t) => ({
    id: t.id({ description: "The id of the asset, column or metric. Give this or `fqn`." }),
    fqn: t.string({ description: "Its dot-separated name, in any case. Give this or `id`." }),
    since: t.string({
      description: `Where the span begins: ${SPAN_FORMS}. It is \`7d\` if left out. A duration begins with the history if that is later.`,
    }),
    until: t.string({ description: "Where the span ends, in the same forms. Now if left out." }),
    first: t.int({ required: true, defaultValue: 50, description: `How many, 1 to ${MAX_PAGE_SIZE}.` }),
    after: t.string({ description: "A cursor: the page begins after it, in the span of the first page." }),
  })),
  complexity: CAUSES_COST,
  resolve: async (_root, { id, fqn, ...page }, context) => findCauses(await idOf(id, fqn, context), page, context),
});

async function idOf(
  id: string | null | undefined,
  fqn: string | null | undefined,
  context: GraphqlContext,
): Promise<NodeId> {
  if ((id == null) === (fqn == null)) throw badField("id", "give either id or fqn");
  if (id != null) return toNodeId(id);
  const found = await onlyOne(await context.graph.loadByFqn(workspaceOf(context), fqn ?? "", {}), "fqn", context);
  if (found === null) throw notFound("asset", fqn ?? "");
  return found.id;
}

const positionSchema = z.object({ offset: z.int(), since: z.string(), until: z.string() });

interface AskedPage {
  since?: string | null | undefined;
  until?: string | null | undefined;
  first: number;
  after?: string | null | undefined;
}

async function findCauses(target: NodeId, asked: AskedPage, context: GraphqlContext): Promise<CausesAnswer> {
  const { budget, graph, nextTurn, services } = context;
  const workspace = workspaceOf(context);
  const limit = parsePageSize(asked.first);
  const query = [workspace, "causes", target, asked.since ?? null, asked.until ?? null];
  const { offset, ...given } = asked.after
    ? services.cursors.read(asked.after, query, positionSchema)
    : { offset: 0, ...parseSpan({ ...asked, since: asked.since ?? DEFAULT_SPAN }, services.auth.clock.now()) };
  await nextTurn();
  const causes = await graph.findCauses(workspace, {
    target,
    ...given,
    orBeginning: asked.since == null || isDuration(asked.since),
    offset,
    limit,
  });
  if (causes === null) throw notFound("asset", target);
  const { coverage, since } = causes;
  const span = { since, until: given.until };
  const troubled = await services.metadata.syncs.listTroubled(workspace, coverage.connectors, span);
  budget.draw("rows", causes.items.length + causes.otherChanges.length + troubled.length);
  const count = causes.items.length;
  const issue = (behind: number): string => services.cursors.issue(query, { offset: offset + behind, ...span });
  const pageInfo = {
    limit,
    hasNextPage: offset + count < causes.total,
    hasPreviousPage: offset > 0,
    issueStartCursor: count === 0 ? null : () => issue(1),
    issueEndCursor: count === 0 ? null : () => issue(count),
  };
  const edges = causes.items.map((node, i) => ({ node, issueCursor: () => issue(i + 1) }));
  return { ...causes, ...span, edges, pageInfo, troubled };
}
