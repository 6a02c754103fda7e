/** What every resolver is given: the service's parts, who asks, and the loaders of this one request. */
import { fromRequest, type Origin } from "../auth/origin.ts";
import type { Principal } from "../auth/principal.ts";
import { AppError } from "../errors.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { WorkspaceId } from "../ids.ts";
import type { Services } from "../services.ts";
import { Budget } from "../work/budget.ts";
import type { Caller } from "../work/caller.ts";
import { createPlaces, type Places } from "../work/places.ts";
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

/** One request: who asks (null only where no token is needed), from where, and under which id it is logged. */
export interface RequestScope {
  principal: Principal | null;
  requestId: string;
  /** The address of the client. */
  source: string;
  /** Aborted when the client is gone, the time for the request is over, or its budget is spent. */
  signal: AbortSignal;
  /** Stops all work for the request. */
  giveUp: (reason: AppError) => void;
  /**
   * Counts so many more requests against the rate limit.
   * @throws AppError `rate_limited` where there are not so many left; then none is counted
   */
  takePlaces: (places: number) => Promise<void>;
  /** Resolves when it is the request's turn to go on with work that holds the event loop. */
  nextTurn: () => Promise<void>;
  /** The budget of the request that this is a part of; a request of its own has none yet. */
  budget?: Budget;
  /**
   * Asks again whether the token may do anything, before each event of a subscription.
   * @throws AppError if it may not any more
   */
  stillAllowed?: () => Promise<void>;
}

export interface GraphqlContext extends RequestScope {
  services: Services;
  /** Runs a document of `schema/` with the rights of the request's token. */
  runOperation: RunOperation;
  loaders: Loaders;
  /** The key or account that the request's work is done for. */
  caller: Caller;
  /** Reads the graph for the caller. */
  graph: GraphReader;
  /** Charged for what is read and answered. */
  budget: Budget;
  /** For long reads: a request that asks for many at once would wait in line behind itself, and be refused for that. */
  oneByOne: Places;
}

/** The holder of requests that need no token. */
const NOBODY = "nobody";

/** The key or account that the work of a request is done for. */
export function callerOf({ principal, signal }: RequestScope): Caller {
  return { holder: principal?.quotaId ?? NOBODY, signal };
}

/** A context with fresh loaders, and a fresh budget unless it is for a part of a request: nothing loaded for one request is ever shown to another. */
export function createContext(services: Services, scope: RequestScope, runOperation: RunOperation): GraphqlContext {
  const { principal, giveUp, takePlaces, nextTurn } = scope;
  const { holder, signal } = callerOf(scope);
  const budget =
    scope.budget?.share() ??
    new Budget({ limits: services.limits, held: services.heldRows.open(holder), onSpent: giveUp });
  const caller: Caller = { holder, signal, charge: (rows) => budget.draw("rows", rows) };
  const graph = services.graph.readerFor(caller);
  const loaders = createLoaders({
    graph,
    metadata: services.metadata,
    workspace: principal?.workspace.id ?? null,
    budget,
    signal,
    nextTurn,
    takePlaces,
  });
  return { ...scope, services, runOperation, loaders, caller, graph, budget, oneByOne: createPlaces(1) };
}

/** The principal of the request's token. Root fields that need a scope have checked that there is one. */
export function getPrincipal(context: RequestScope): Principal {
  if (context.principal === null) throw new AppError("unauthorized", "A Bearer token is needed.");
  return context.principal;
}

/** The workspace that everything in this request lives in. */
export function workspaceOf(context: GraphqlContext): WorkspaceId {
  return getPrincipal(context).workspace.id;
}

/** Who changes something by this request, and from which address. The use cases of `auth/` need both. */
export function originOf(context: GraphqlContext): Origin {
  return fromRequest(getPrincipal(context), context.source);
}
