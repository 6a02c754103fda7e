/** What every resolver gets: the service's parts, who asks, and the budget of the request. */
import { fromRequest, type Origin } from "../auth/origin.ts";
import type { Principal } from "../auth/principal.ts";
import { AppError } from "../errors.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { WorkspaceId } from "../ids.ts";
import type { Services } from "../services.ts";
import { Budget } from "../work/budget.ts";
import type { Caller } from "../work/caller.ts";
import { createSemaphore, type Semaphore } from "../work/semaphore.ts";

/**
 * Runs one operation of `schema/` by its name.
 * @returns all of its data, never only a part
 * @throws AppError if any field fails, for the first error
 */
export type RunOperation = (
  operation: string,
  variables: Readonly<Record<string, unknown>>,
  scope: RequestScope,
) => Promise<Record<string, unknown>>;

/** One request: who asks (null only if no token is needed), from where, and the id that it is logged with. */
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
   * Counts more requests against the rate limit.
   * @throws AppError `rate_limited` if not enough are left; then none is counted
   */
  takeUnits: (units: number) => Promise<void>;
  /** Resolves when it is the request's turn to continue with work that holds the event loop. */
  nextTurn: () => Promise<void>;
  /** The budget of the larger request that this is a part of; undefined for a request by itself. */
  budget?: Budget;
  /**
   * Looks the token up again before each event of a subscription.
   * @throws AppError if it is no longer valid
   */
  stillAllowed?: () => Promise<void>;
}

export interface GraphqlContext extends RequestScope {
  services: Services;
  /** Runs a document of `schema/` with the rights of the request's token. */
  runOperation: RunOperation;
  /** The key or account that the request's work is done for. */
  caller: Caller;
  /** Reads the graph for the caller: as it is, or as it was at `asOf`. */
  graph: GraphReader;
  /** The time that the request asks about: ISO 8601, UTC; undefined for the present. */
  asOf?: string;
  /** Charged for what is read and answered. */
  budget: Budget;
  /** For long reads: one at a time. Otherwise a request with many of them would fill its own queue and be refused. */
  oneByOne: Semaphore;
}

/** The holder of requests that need no token. */
const NOBODY = "nobody";

/** The key or account that the work of a request is done for. */
export function callerOf({ principal, signal, giveUp }: RequestScope): Caller {
  if (principal === null) return { tenant: NOBODY, signal, giveUp };
  const { quotaId, actor, workspace } = principal;
  return { tenant: quotaId, account: actor.id, workspace: workspace.id, signal, giveUp };
}

/**
 * Makes the context of one request. Loaders belong to a context, so no request sees what another has loaded. It has its own
 * budget, unless it is for a part of a larger request.
 */
export function createContext(services: Services, scope: RequestScope, runOperation: RunOperation): GraphqlContext {
  const asker = callerOf(scope);
  const held = services.heldRows.open(asker.tenant);
  const slot = services.largeRequests.open(asker);
  const budget =
    scope.budget?.share(slot) ?? new Budget({ limits: services.budgetLimits, held, slot, onSpent: scope.giveUp });
  const caller: Caller = {
    ...asker,
    charge: (rows) => budget.draw("rows", rows),
    grow: (rows) => budget.grow(rows),
    maxRows: services.budgetLimits.rows,
  };
  const graph = services.graph.readerFor(caller);
  const nextTurn = async (): Promise<void> => {
    await budget.grow();
    await scope.nextTurn();
  };
  return { ...scope, nextTurn, services, runOperation, caller, graph, budget, oneByOne: createSemaphore(1) };
}

/** What a cursor of a list belongs to: the workspace, what the list says of itself, and the time that is asked about. */
export function cursorQuery(context: GraphqlContext, ...list: unknown[]): unknown[] {
  return [workspaceOf(context), ...list, ...(context.asOf === undefined ? [] : [context.asOf])];
}

/** The principal of the request's token. Root fields that need a scope have checked that there is one. */
export function getPrincipal(context: RequestScope): Principal {
  if (context.principal === null) throw new AppError("unauthorized", "A Bearer token is needed.");
  return context.principal;
}

/** The id of the workspace that the token belongs to. */
export function workspaceOf(context: GraphqlContext): WorkspaceId {
  return getPrincipal(context).workspace.id;
}

/** Who makes a change with this request, and from which address. The use cases of `auth/` need both. */
export function originOf(context: GraphqlContext): Origin {
  return fromRequest(getPrincipal(context), context.source);
}
