/** Checks: the tests that sources run on assets and columns, and their results. */
import { z } from "zod";

import type { CatalogNode } from "../catalog/asset.ts";
import {
  type Check,
  type CheckedColumn,
  type CheckKind as CheckKindWord,
  checkKey,
  type CheckStatus as CheckStatusWord,
  statusOf,
} from "../catalog/check.ts";
import type { CheckQuery } from "../graph/catalog-graph.ts";
import type { NodeId } from "../ids.ts";
import { emptyAsNull, listOf, objectType, textOrNull, typed, typedOrNull, wordsType } from "./builder.ts";
import {
  type Connection,
  CURSOR_DESCRIPTION,
  type PageEdge,
  PageInfoType,
  parsePageSize,
  toConnection,
} from "./connection.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";
import { createLoader, sum } from "./loaders.ts";
import { AssetObject, findNode } from "./refs.ts";

/** The assumed number of a check's assets, and of its columns, in a query's cost. */
const ASSUMED_ASSETS = 2;

export const CheckKind = wordsType<CheckKindWord>("CheckKind", "What a check tests.", {
  generic: "A test with a name and arguments, such as `not_null`.",
  singular: "A query of its own that must find no rows.",
  unit: "A model's SQL is run over given rows, and its result is compared with expected rows.",
  contract: "The columns and data types that a model promises.",
  freshness: "How old a source's newest row may be.",
  schedule: "When the next run of a pipeline has to begin.",
  run: "Whether the last run of a pipeline succeeded.",
});

export const CheckStatus = wordsType<CheckStatusWord>("CheckStatus", "The result of the last run of a check.", {
  pass: "It found nothing wrong.",
  fail: "It found something wrong.",
  warn: "It found something wrong, and its source treats that as a warning.",
  error: "It could not be completed.",
  skipped: "It was not run, because something that it depends on failed.",
  unknown: "It has no known result.",
});

const CheckSeverity = wordsType<Check["severity"]>("CheckSeverity", "How its source treats a failure of a check.", {
  warn: "As a warning.",
  error: "As an error.",
});

const CheckedColumnType = objectType<CheckedColumn>("CheckedColumn", "A column that a check needs.").with({
  id: typed("ID", "The column's id."),
  dataType: (t) =>
    t.string({
      ...textOrNull("type"),
      description: "The data type that a contract promises; null for every other check.",
    }),
  column: {
    ...typedOrNull(AssetObject, "The column itself; null if the catalog does not have it."),
    resolve: ({ id }, _args, context) => findNode(id, context),
  },
});

export const CheckType = objectType<Check>(
  "Check",
  "Something that a source checks about assets and columns: a test, a contract, the freshness of a source, or the schedule or the last run of a pipeline.",
).with({
  id: typed("ID", "The check's id. It is the same after every sync."),
  name: typed("String", "Its own name."),
  object: typed("String", "The source's own name for it, such as dbt's unique id."),
  kind: typed(CheckKind, "What it tests."),
  test: emptyAsNull("The type of a generic test, with its package, such as `not_null`; null for every other check."),
  severity: typed(CheckSeverity, "How its source treats a failure."),
  status: {
    ...typed(CheckStatus, "The result of its last run."),
    resolve: ({ result }) => statusOf(result),
  },
  message: {
    ...typedOrNull("String", "The source's message about the last run; null if there is none."),
    resolve: ({ result }) => result?.message || null,
  },
  failures: {
    ...typedOrNull("Int", "How many rows failed in the last run; null if they were not counted."),
    resolve: ({ result }) => result?.failures ?? null,
  },
  lastRunAt: {
    ...typedOrNull("DateTime", "When its last run ended; null if that is unknown."),
    resolve: ({ result }) => result?.ranAt ?? null,
  },
  assets: {
    ...listOf(
      AssetObject,
      "The tables and models that it needs. The one that it belongs to comes first.",
      ASSUMED_ASSETS,
    ),
    resolve: ({ assets }, _args, context) => loadPresent(assets, context),
  },
  columns: listOf(CheckedColumnType, "The columns that it needs.", ASSUMED_ASSETS),
});

/** Loads the nodes with these ids, without those that the catalog does not have. */
async function loadPresent(ids: readonly NodeId[], context: GraphqlContext): Promise<CatalogNode[]> {
  const nodes = await Promise.all(ids.map((id) => findNode(id, context)));
  return nodes.filter((node) => node !== null);
}

interface CheckPage extends Connection<Check> {
  totalCount: number;
}

const CheckEdge = objectType<PageEdge<Check>>("CheckEdge", "One check and its place in the list.").with({
  cursor: { ...typed("String", CURSOR_DESCRIPTION), resolve: ({ issueCursor }) => issueCursor() },
  node: typed(CheckType, "The check."),
});

export const CheckConnection = objectType<CheckPage>(
  "CheckConnection",
  "A page of checks, in the order of their names.",
).with({
  totalCount: typed("NonNegativeInt", "How many checks there are, on all pages."),
  nodes: typed([CheckType], "The checks on this page."),
  edges: typed([CheckEdge], "The checks with their cursors."),
  pageInfo: typed(PageInfoType, "The cursors of this page, and whether there are more items."),
});

const checksOf = createLoader(({ graph }, ws, queries: readonly CheckQuery[]) => graph.loadChecks(ws, queries), {
  expect: ({ first }) => 1 + first,
  weigh: ({ items }) => sum(items.map(({ columns }) => 1 + columns.length)),
  cacheKeyFn: ({ node, status, first, after }) => JSON.stringify([node, status, first, after]),
});

export async function loadChecks(
  { id }: CatalogNode,
  args: { first: number; after?: string | null | undefined; status?: CheckStatusWord | null | undefined },
  context: GraphqlContext,
): Promise<CheckPage> {
  const limit = parsePageSize(args.first);
  const status = args.status ?? undefined;
  const { cursors } = context.services;
  const query = [workspaceOf(context), "checks", id, status ?? ""];
  const after = args.after ? cursors.read(args.after, query, z.string()) : null;
  const found = await checksOf(context).load({ node: id, status, first: limit, after });
  const page = toConnection(
    found.items.map((node) => ({ node })),
    { limit, hasMore: found.hasMore, after, cursorOf: ({ node }) => cursors.issue(query, checkKey(node)) },
  );
  return { ...page, totalCount: found.total };
}
