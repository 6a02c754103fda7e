/** Checks: what sources test of assets and columns, and how that went. */
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
import type { NodeId } from "../ids.ts";
import { builder } from "./builder.ts";
import {
  type Connection,
  CURSOR_DESCRIPTION,
  type PageEdge,
  PageInfoType,
  parsePageSize,
  toConnection,
} from "./connection.ts";
import { type GraphqlContext, workspaceOf } from "./context.ts";
import { AssetObject } from "./refs.ts";

/** What a check's assets and columns count as in a query's cost. */
const ASSUMED_ASSETS = 2;

export const CheckKind = builder.enumType("CheckKind", {
  description: "What a check looks at.",
  values: {
    generic: { description: "A test with a name and arguments, such as `not_null`." },
    singular: { description: "A query of its own that must find no rows." },
    unit: { description: "A model's SQL is run over given rows and compared with expected ones." },
    contract: { description: "The columns and data types that a model promises." },
    freshness: { description: "How old a source's newest row may be." },
  } satisfies Record<CheckKindWord, { description: string }>,
});

export const CheckStatus = builder.enumType("CheckStatus", {
  description: "What a check came to when it was last run.",
  values: {
    pass: { description: "It found nothing wrong." },
    fail: { description: "It found something wrong." },
    warn: { description: "It found something wrong that its source only warns of." },
    error: { description: "It could not be run to its end." },
    skipped: { description: "It was not run, because something before it failed." },
    unknown: { description: "No result of it was ever seen." },
  } satisfies Record<CheckStatusWord, { description: string }>,
});

const CheckSeverity = builder.enumType("CheckSeverity", {
  description: "What a failure of a check means in its source.",
  values: {
    warn: { description: "It is only warned of." },
    error: { description: "It counts as an error." },
  } satisfies Record<Check["severity"], { description: string }>,
});

const CheckedColumnType = builder.objectRef<CheckedColumn>("CheckedColumn").implement({
  description: "A column that a check needs.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The column's id." }),
    dataType: t.string({
      nullable: true,
      description: "The data type that a contract promises; null for every other check.",
      resolve: ({ type }) => type || null,
    }),
    column: t.field({
      type: AssetObject,
      nullable: true,
      description: "The column itself; null while the catalog does not have it.",
      resolve: ({ id }, _args, context) => context.loaders.nodes.load(id),
    }),
  }),
});

export const CheckType = builder.objectRef<Check>("Check").implement({
  description: "Something that a source checks of assets and columns: a test, a contract, or how fresh a source is.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The same at every crawl." }),
    name: t.exposeString("name", { description: "Its own name." }),
    object: t.exposeString("object", { description: "The source's own name for it, such as dbt's unique id." }),
    kind: t.expose("kind", { type: CheckKind, description: "What it looks at." }),
    test: t.string({
      nullable: true,
      description: "The type of a generic test, with its package, such as `not_null`; null for every other check.",
      resolve: ({ test }) => test || null,
    }),
    severity: t.expose("severity", { type: CheckSeverity, description: "What a failure means in its source." }),
    status: t.field({
      type: CheckStatus,
      description: "What its last run came to.",
      resolve: ({ result }) => statusOf(result),
    }),
    message: t.string({
      nullable: true,
      description: "What its source said of the last run; null if it said nothing.",
      resolve: ({ result }) => result?.message || null,
    }),
    failures: t.int({
      nullable: true,
      description: "How many rows failed in the last run; null when they were not counted.",
      resolve: ({ result }) => result?.failures ?? null,
    }),
    lastRunAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When its last run ended; null when that is not known.",
      resolve: ({ result }) => result?.ranAt ?? null,
    }),
    assets: t.field({
      type: [AssetObject],
      description: "The tables and models that it needs, the one that it belongs to first.",
      complexity: { field: 1, multiplier: ASSUMED_ASSETS },
      resolve: ({ assets }, _args, context) => loadPresent(assets, context),
    }),
    columns: t.expose("columns", {
      type: [CheckedColumnType],
      description: "The columns that it needs.",
      complexity: { field: 1, multiplier: ASSUMED_ASSETS },
    }),
  }),
});

/** Those of the nodes that the catalog has. */
async function loadPresent(ids: readonly NodeId[], context: GraphqlContext): Promise<CatalogNode[]> {
  const nodes = await context.loaders.nodes.loadMany(ids);
  return nodes.flatMap((node) => {
    if (node instanceof Error) throw node;
    return node ?? [];
  });
}

interface CheckPage extends Connection<Check> {
  totalCount: number;
}

const CheckEdge = builder.objectRef<PageEdge<Check>>("CheckEdge").implement({
  description: "One check and its place in the list.",
  fields: (t) => ({
    cursor: t.string({ description: CURSOR_DESCRIPTION, resolve: ({ issueCursor }) => issueCursor() }),
    node: t.expose("node", { type: CheckType, description: "The check." }),
  }),
});

export const CheckConnection = builder.objectRef<CheckPage>("CheckConnection").implement({
  description: "A page of checks, in the order of their names.",
  fields: (t) => ({
    totalCount: t.expose("totalCount", { type: "NonNegativeInt", description: "All checks, whatever the page." }),
    nodes: t.expose("nodes", { type: [CheckType], description: "The checks on this page." }),
    edges: t.expose("edges", { type: [CheckEdge], description: "The checks with their cursors." }),
    pageInfo: t.expose("pageInfo", {
      type: PageInfoType,
      description: "The cursors of this page, and whether more follows.",
    }),
  }),
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
  const found = await context.loaders.checks.load({ node: id, status, first: limit, after });
  const page = toConnection(
    found.items.map((node) => ({ node })),
    { limit, hasMore: found.hasMore, after, cursorOf: ({ node }) => cursors.issue(query, checkKey(node)) },
  );
  return { ...page, totalCount: found.total };
}
