/** Batches the reads of one request, so that each level of a nested query is one call to a store. */
import DataLoader from "dataloader";

import type { Impact, ImpactQuery } from "../catalog/impact.ts";
import { AppError } from "../errors.ts";
import type { CheckQuery, GraphReader, NeighbourQuery } from "../graph/catalog-graph.ts";
import type { AccountId, ConnectorId, NodeId, SyncId, UserId, WorkspaceId } from "../ids.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { batchesOf } from "../work/batches.ts";
import type { Budget } from "../work/budget.ts";
import { silentOnceAborted } from "../work/unless-aborted.ts";

/** Loaders keep what they have loaded, so each request has its own. */
export type Loaders = ReturnType<typeof createLoaders>;

type Nodes = readonly NodeId[];
type Connectors = readonly ConnectorId[];

/** What the loaders need. */
interface LoaderParts {
  graph: GraphReader;
  metadata: MetadataStore;
  /** Null for a request without a token. It can load nothing. */
  workspace: WorkspaceId | null;
  budget: Budget;
  /** Aborted when the request ends. */
  signal: AbortSignal;
  nextTurn: () => Promise<void>;
  takeUnits: (units: number) => Promise<void>;
}

/** How many keys are answered in one slice of the event loop. */
const MAX_BATCH = 200;
/** How many rows one call to a store may read, which takes some milliseconds. */
const MAX_ROWS_AT_ONCE = 4_000;

/** The expected number of columns of a table. */
const COLUMNS_AS_A_RULE = 50;

interface Weights<K, V> {
  /** How many rows a key may have, at most or usually; 1 if left out. */
  expect?: (key: K) => number;
  /** How many rows a value has, in addition to the one that is charged for its key; 0 if left out. */
  weigh?: (value: V) => number;
}

export function createLoaders({ graph, metadata, workspace, budget, signal, nextTurn, takeUnits }: LoaderParts) {
  /** Makes a loader that reads in slices, takes a turn before each, and charges the budget for the rows. */
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
    // After an abort the fields never settle: failing thousands of them one by one would hold the event loop.
    const batch = (keys: readonly K[]): Promise<V[]> => silentOnceAborted(signal, readAll(keys));
    return new DataLoader(batch, { maxBatchSize: MAX_BATCH, ...options });
  }

  return {
    nodes: load((ws, ids: Nodes) => graph.loadNodes(ws, ids)),
    columns: load((ws, assets: Nodes) => graph.loadColumns(ws, assets), {
      expect: () => COLUMNS_AS_A_RULE,
      weigh: (columns) => columns.length,
    }),
    neighbours: load((ws, queries: readonly NeighbourQuery[]) => graph.loadNeighbours(ws, queries), {
      expect: ({ first }) => 1 + first,
      weigh: ({ items }) => items.length,
      cacheKeyFn: ({ id, direction, level, directOnly, only, first, after }) =>
        JSON.stringify([id, direction, level, directOnly, only, first, after]),
    }),
    checks: load((ws, queries: readonly CheckQuery[]) => graph.loadChecks(ws, queries), {
      expect: ({ first }) => 1 + first,
      weigh: ({ items }) => sum(items.map(({ columns }) => 1 + columns.length)),
      cacheKeyFn: ({ node, status, first, after }) => JSON.stringify([node, status, first, after]),
    }),
    trails: load((ws, metrics: Nodes) => graph.loadTrails(ws, metrics), { weigh: ({ steps }) => steps.length }),
    sources: load((ws, assets: Nodes) => graph.loadSources(ws, assets), { weigh: (sources) => sources.length }),
    edits: load((ws, assets: Nodes) => graph.loadEdits(ws, assets)),
    impacts: load(
      (ws, queries: readonly ImpactQuery[]) => Promise.all(queries.map((query) => graph.assessImpact(ws, query))),
      {
        weigh: (impact) => (impact === null ? 0 : countRows(impact)),
        cacheKeyFn: (query) => JSON.stringify(query),
      },
    ),
    connectors: load((ws, ids: Connectors) => metadata.connectors.loadByIds(ws, ids)),
    syncs: load((ws, ids: readonly SyncId[]) => metadata.syncs.loadByIds(ws, ids)),
    latestSyncs: load((ws, connectors: Connectors) => metadata.syncs.loadLatest(ws, connectors)),
    /** What others sent to each connector. */
    receptions: load((ws, connectors: Connectors) => metadata.inbox.loadReceptions(ws, connectors)),
    /** When each connector last completed a crawl. */
    lastCompleted: load((ws, connectors: Connectors) => metadata.syncs.loadLastCompleted(ws, connectors)),
    users: load((ws, ids: readonly UserId[]) => metadata.users.loadByIds(ws, ids)),
    accounts: load((ws, ids: readonly AccountId[]) => metadata.accounts.loadByIds(ws, ids)),
    clientSecrets: load((ws, accounts: readonly AccountId[]) => metadata.accounts.loadSecrets(ws, accounts)),
    /** Takes a place of the rate limit for each nested walk, impact or reading of SQL, for all of a level at once. */
    places: new DataLoader<object, true>(
      async (asked) => {
        await takeUnits(asked.length);
        return asked.map(() => true);
      },
      { cache: false },
    ),
  };
}

/** One row for each node of each path, each owner, each failing check, and each column that such a check needs. */
function countRows({ affected, owners, checks }: Impact): number {
  const needs = (checks?.failing ?? []).map(({ check }) => 1 + check.columns.length);
  return sum(affected.map(({ path }) => path.length)) + owners.length + sum(needs);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
