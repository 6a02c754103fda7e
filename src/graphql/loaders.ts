/** Batches what the fields of one request ask for: each level of a nested query is one call to a store. */
import DataLoader from "dataloader";

import type { CatalogNode } from "../catalog/asset.ts";
import type { Trail } from "../catalog/certification.ts";
import type { Edit } from "../catalog/edits.ts";
import type { Impact, ImpactQuery } from "../catalog/impact.ts";
import { AppError } from "../errors.ts";
import type { CheckPage, CheckQuery, GraphReader, NeighbourQuery, Neighbours } from "../graph/catalog-graph.ts";
import type { AccountId, ConnectorId, NodeId, SyncId, UserId, WorkspaceId } from "../ids.ts";
import type { ClientSecret, Connector, ServiceAccount, Sync, User } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { batchesOf } from "../work/batches.ts";
import type { Budget } from "../work/budget.ts";
import { silentOnceAborted } from "../work/unless-aborted.ts";

export interface Loaders {
  nodes: DataLoader<NodeId, CatalogNode | null>;
  columns: DataLoader<NodeId, CatalogNode[]>;
  neighbours: DataLoader<NeighbourQuery, Neighbours, string>;
  checks: DataLoader<CheckQuery, CheckPage, string>;
  /** By the metric. */
  trails: DataLoader<NodeId, Trail>;
  /** By the asset. */
  edits: DataLoader<NodeId, Edit[]>;
  impacts: DataLoader<ImpactQuery, Impact | null, string>;
  connectors: DataLoader<ConnectorId, Connector | null>;
  syncs: DataLoader<SyncId, Sync | null>;
  latestSyncs: DataLoader<ConnectorId, Sync | null>;
  /** When each connector last completed a crawl. */
  lastCompleted: DataLoader<ConnectorId, string | null>;
  users: DataLoader<UserId, User | null>;
  accounts: DataLoader<AccountId, ServiceAccount | null>;
  /** By their account. */
  clientSecrets: DataLoader<AccountId, ClientSecret[]>;
  /** Takes a place of the rate limit for each walk or impact that is nested in an answer: for all of a level at once. */
  places: DataLoader<object, true>;
}

/** What loaders work with. */
interface LoaderParts {
  graph: GraphReader;
  metadata: MetadataStore;
  /** Null where no token was needed; then nothing can be loaded. */
  workspace: WorkspaceId | null;
  budget: Budget;
  /** Aborted when the request ends. */
  signal: AbortSignal;
  nextTurn: () => Promise<void>;
  takePlaces: (places: number) => Promise<void>;
}

/** Keys whose answers are handed on in one slice of the event loop. */
const MAX_BATCH = 200;
/** Rows that are read in one call to a store: some milliseconds. */
const MAX_ROWS_AT_ONCE = 4_000;

const COLUMNS_AS_A_RULE = 50;

interface Weights<K, V> {
  /** Rows that a key may come to, at most or as a rule; 1 unless told. */
  expect?: (key: K) => number;
  /** Rows that an answer holds, beside one for its key. */
  weigh?: (value: V) => number;
}

export function createLoaders({
  graph,
  metadata,
  workspace,
  budget,
  signal,
  nextTurn,
  takePlaces,
}: LoaderParts): Loaders {
  /** A loader that reads in slices, each in its turn, and is charged for what it reads. */
  function load<K, V, C = K>(
    read: (workspace: WorkspaceId, keys: readonly K[]) => Promise<V[]>,
    { expect = () => 1, weigh = () => 0, ...options }: DataLoader.Options<K, V, C> & Weights<K, V> = {},
  ): DataLoader<K, V, C> {
    const readAll = async (keys: readonly K[]): Promise<V[]> => {
      if (workspace === null) throw new AppError("unauthorized", "A Bearer token is needed.");
      const values: V[] = [];
      for (const slice of batchesOf(keys, MAX_ROWS_AT_ONCE, expect)) {
        budget.draw("rows", slice.length);
        await nextTurn();
        const found = await read(workspace, slice);
        budget.draw("rows", sum(found.map(weigh)));
        values.push(...found);
      }
      return values;
    };
    // To fail thousands of fields one by one would hold the event loop.
    const batch = (keys: readonly K[]): Promise<V[]> => silentOnceAborted(signal, readAll(keys));
    return new DataLoader(batch, { maxBatchSize: MAX_BATCH, ...options });
  }

  return {
    nodes: load((ws, ids) => graph.loadNodes(ws, ids)),
    columns: load((ws, ids) => graph.loadColumns(ws, ids), {
      expect: () => COLUMNS_AS_A_RULE,
      weigh: (columns) => columns.length,
    }),
    neighbours: load((ws, queries) => graph.loadNeighbours(ws, queries), {
      expect: ({ first }) => 1 + first,
      weigh: ({ items }) => items.length,
      cacheKeyFn: ({ id, direction, level, directOnly, only, first, after }) =>
        JSON.stringify([id, direction, level, directOnly, only, first, after]),
    }),
    checks: load((ws, queries) => graph.loadChecks(ws, queries), {
      expect: ({ first }) => 1 + first,
      weigh: ({ items }) => sum(items.map(({ columns }) => 1 + columns.length)),
      cacheKeyFn: ({ node, status, first, after }) => JSON.stringify([node, status, first, after]),
    }),
    trails: load((ws, ids) => graph.loadTrails(ws, ids), { weigh: ({ steps }) => steps.length }),
    edits: load((ws, ids) => graph.loadEdits(ws, ids)),
    impacts: load((ws, queries) => Promise.all(queries.map((query) => graph.assessImpact(ws, query))), {
      weigh: (impact) => (impact === null ? 0 : countRows(impact)),
      cacheKeyFn: (query) => JSON.stringify(query),
    }),
    connectors: load((ws, ids) => metadata.connectors.loadByIds(ws, ids)),
    syncs: load((ws, ids) => metadata.syncs.loadByIds(ws, ids)),
    latestSyncs: load((ws, ids) => metadata.syncs.loadLatest(ws, ids)),
    lastCompleted: load((ws, ids) => metadata.syncs.loadLastCompleted(ws, ids)),
    users: load((ws, ids) => metadata.users.loadByIds(ws, ids)),
    accounts: load((ws, ids) => metadata.accounts.loadByIds(ws, ids)),
    clientSecrets: load((ws, ids) => metadata.accounts.loadSecrets(ws, ids)),
    places: new DataLoader(
      async (asked) => {
        await takePlaces(asked.length);
        return asked.map(() => true);
      },
      { cache: false },
    ),
  };
}

/** A row for each affected node and each hop of its path, each owner, and each check and each column that it needs. */
function countRows({ affected, owners, checks }: Impact): number {
  const needs = (checks?.failing ?? []).map(({ check }) => 1 + check.columns.length);
  return sum(affected.map(({ path }) => path.length)) + owners.length + sum(needs);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
