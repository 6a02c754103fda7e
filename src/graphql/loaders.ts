/** Batches what the fields of one request ask for: each level of a nested query is one call to a store. */
import DataLoader from "dataloader";

import type { CatalogNode } from "../catalog/asset.ts";
import type { Trail } from "../catalog/certification.ts";
import { AppError } from "../errors.ts";
import type { GraphReader, NeighbourQuery, Neighbours } from "../graph/catalog-graph.ts";
import type { ClientSecret, Connector, ServiceAccount, Sync, User } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";

export interface Loaders {
  nodes: DataLoader<string, CatalogNode | null>;
  columns: DataLoader<string, CatalogNode[]>;
  neighbours: DataLoader<NeighbourQuery, Neighbours, string>;
  /** By the metric. */
  trails: DataLoader<string, Trail>;
  connectors: DataLoader<string, Connector | null>;
  latestSyncs: DataLoader<string, Sync | null>;
  users: DataLoader<string, User | null>;
  accounts: DataLoader<string, ServiceAccount | null>;
  /** By their account. */
  clientSecrets: DataLoader<string, ClientSecret[]>;
}

/** @param workspace null where no token was needed; then nothing can be loaded */
export function createLoaders(
  stores: { graph: GraphReader; metadata: MetadataStore },
  workspace: string | null,
): Loaders {
  const inWorkspace = <T>(load: (workspace: string) => Promise<T>): Promise<T> =>
    workspace === null ? Promise.reject(new AppError("unauthorized", "A Bearer token is needed.")) : load(workspace);
  return {
    nodes: new DataLoader((ids) => inWorkspace((ws) => stores.graph.loadNodes(ws, ids))),
    columns: new DataLoader((ids) => inWorkspace((ws) => stores.graph.loadColumns(ws, ids))),
    neighbours: new DataLoader((queries) => inWorkspace((ws) => stores.graph.loadNeighbours(ws, queries)), {
      cacheKeyFn: (query) => JSON.stringify([query.id, query.direction, query.level, query.first, query.after]),
    }),
    trails: new DataLoader((ids) => inWorkspace((ws) => stores.graph.loadTrails(ws, ids))),
    connectors: new DataLoader((ids) => inWorkspace((ws) => stores.metadata.connectors.loadByIds(ws, ids))),
    latestSyncs: new DataLoader((ids) => inWorkspace((ws) => stores.metadata.syncs.loadLatest(ws, ids))),
    users: new DataLoader((ids) => inWorkspace((ws) => stores.metadata.users.loadByIds(ws, ids))),
    accounts: new DataLoader((ids) => inWorkspace((ws) => stores.metadata.accounts.loadByIds(ws, ids))),
    clientSecrets: new DataLoader((ids) => inWorkspace((ws) => stores.metadata.accounts.loadSecrets(ws, ids))),
  };
}
