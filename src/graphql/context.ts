/** What every resolver is given: the service's parts, who asks, and the loaders of this one request. */
import type { Logger } from "pino";

import type { Agent } from "../agent/agent.ts";
import type { AuthParts } from "../auth/change.ts";
import { fromRequest, type Origin } from "../auth/origin.ts";
import type { Principal } from "../auth/principal.ts";
import type { RefusalTrail } from "../auth/refusals.ts";
import type { SyncService } from "../crawl/sync-service.ts";
import { AppError } from "../errors.ts";
import type { CatalogGraph } from "../graph/catalog-graph.ts";
import type { HealthReport } from "../health.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { SqlLineage } from "../sql-lineage/thread.ts";
import type { WhatIf } from "../what-if/what-if.ts";
import type { Cursors } from "./cursor.ts";
import { createLoaders, type Loaders } from "./loaders.ts";

/**
 * Runs one operation of `schema/` by its name.
 * @returns the whole of its data, never a part
 * @throws AppError for the first error of any field
 */
export type RunOperation = (
  operation: string,
  variables: Readonly<Record<string, unknown>>,
  scope: RequestScope,
) => Promise<Record<string, unknown>>;

/** The parts that resolvers stand on; made once. */
export interface Services {
  graph: CatalogGraph;
  metadata: MetadataStore;
  syncs: SyncService;
  agent: Agent;
  /** For what a resolver looks up as whoever asks. */
  runOperation: RunOperation;
  sqlLineage: Pick<SqlLineage, "resolve">;
  whatIf: WhatIf;
  /** What the use cases of `auth/` work with. */
  auth: AuthParts;
  refusals: RefusalTrail;
  cursors: Cursors;
  health: () => Promise<HealthReport>;
  /** The most nodes that a lineage result holds. */
  maxLineageNodes: number;
  log: Logger;
}

/** One request: who asks (null only where no token is needed), from where, and under which id it is logged. */
export interface RequestScope {
  principal: Principal | null;
  requestId: string;
  /** The address of the client. */
  source: string;
}

export interface GraphqlContext extends RequestScope {
  services: Services;
  loaders: Loaders;
}

/** A context with fresh loaders: nothing loaded for one request is ever shown to another. */
export function createContext(services: Services, scope: RequestScope): GraphqlContext {
  const loaders = createLoaders(services, scope.principal?.workspace.id ?? null);
  return { ...scope, services, loaders };
}

/** Who asks. Root fields that need a scope have made sure that there is someone. */
export function getPrincipal(context: RequestScope): Principal {
  if (context.principal === null) throw new AppError("unauthorized", "A Bearer token is needed.");
  return context.principal;
}

/** The workspace that everything in this request lives in. */
export function workspaceOf(context: GraphqlContext): string {
  return getPrincipal(context).workspace.id;
}

/** Who changes something by this request, and from where: what the use cases of `auth/` ask for. */
export function originOf(context: GraphqlContext): Origin {
  return fromRequest(getPrincipal(context), context.source);
}
