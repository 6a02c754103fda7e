/** The agent over the embedded stores, without HTTP. All its costs are counted. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Agent, type Asker, createAgent } from "../../src/agent/agent.ts";
import type { AgentAnswer } from "../../src/agent/answer.ts";
import type { RunTool } from "../../src/agent/lookup.ts";
import { systemClock, systemRandom } from "../../src/clock.ts";
import type { CatalogGraph, GraphReader } from "../../src/graph/catalog-graph.ts";
import { createOperationRunner } from "../../src/graphql/run-operation.ts";
import { schema } from "../../src/graphql/schema.ts";
import type { WorkspaceId } from "../../src/ids.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { openServices } from "../../src/services.ts";
import { parseSettings } from "../../src/settings/settings.ts";
import { openDataFolderKeys } from "../../src/stores.ts";
import type { Caller } from "../../src/work/caller.ts";
import type { RowMemoryLimit } from "../../src/work/row-memory-limit.ts";
import { makePrincipal } from "./principal.ts";

export interface Costs {
  /** The operations that were run. */
  operations: string[];
  /** The methods of the graph that they called. */
  calls: string[];
  /** The rows that were charged. */
  rows: number;
  /** The turns that the agent asked for, without those of the operations. */
  turns: number;
}

interface Asking {
  /** Ids of assets to which the question is limited. */
  assetIds?: readonly string[];
  /** Whether the agent may suggest a sync. */
  mayWrite?: boolean;
}

export interface AgentBench {
  graph: CatalogGraph;
  /** The costs since they were last emptied. */
  costs: Costs;
  /** Runs tools as a member of the workspace with the scope `read`. */
  runToolFor(workspace: WorkspaceId): RunTool;
  /** Asks the agent without a language model. */
  ask(workspace: WorkspaceId, query: string, asking?: Asking): Promise<AgentAnswer>;
  close(): Promise<void>;
}

const freshCosts = (): Costs => ({ operations: [], calls: [], rows: 0, turns: 0 });

export async function openAgentBench(): Promise<AgentBench> {
  const folder = await mkdtemp(join(tmpdir(), "tributary-agent-"));
  const settings = parseSettings({ DATA_DIR: folder, LOG_LEVEL: "silent", SAMPLE: "off" });
  const opened = new AsyncDisposableStack();
  const services = await openServices({
    settings,
    keep: openDataFolderKeys(settings, systemRandom),
    clock: systemClock,
    random: systemRandom,
    log: createLog(settings.logLevel),
    deadline: (ms) => AbortSignal.timeout(ms),
    whenClosed: (_what, closeIt) => opened.defer(async () => closeIt()),
  });
  const costs = freshCosts();
  const runner = createOperationRunner(schema, {
    ...services,
    graph: counted(services.graph, costs),
    heldRows: countedRows(services.heldRows, costs),
  });
  const agent: Agent = createAgent({ clock: systemClock, random: systemRandom, chooser: null });

  const runToolFor = (id: WorkspaceId): RunTool => {
    const workspace = { ...makePrincipal().workspace, id };
    const work = new AbortController();
    const scope = {
      principal: makePrincipal({ workspace }),
      requestId: "a-request",
      source: "192.0.2.1",
      signal: work.signal,
      giveUp: (reason: Error) => work.abort(reason),
      takeUnits: () => Promise.resolve(),
      nextTurn: () => Promise.resolve(),
    };
    return (operation, variables) => {
      costs.operations.push(operation);
      return runner.run(operation, variables, scope);
    };
  };
  const askerOf = (workspace: WorkspaceId, mayWrite: boolean): Asker => ({
    runTool: runToolFor(workspace),
    signal: new AbortController().signal,
    mayWrite,
    nextTurn: () => {
      costs.turns += 1;
      return Promise.resolve();
    },
  });
  return {
    graph: services.graph,
    costs,
    runToolFor,
    ask(workspace, query, { mayWrite = false, assetIds = [] } = {}) {
      Object.assign(costs, freshCosts());
      const context = { assetIds, tags: [], workspaceArea: null };
      return agent.ask({ query, context, conversation: [] }, askerOf(workspace, mayWrite));
    },
    async close() {
      await opened.disposeAsync();
      await rm(folder, { recursive: true });
    },
  };
}

function countedRows(heldRows: RowMemoryLimit, costs: Costs): RowMemoryLimit {
  return {
    open(tenant) {
      const held = heldRows.open(tenant);
      const hold = (rows: number): void => {
        costs.rows += rows;
        held.hold(rows);
      };
      return { hold, release: () => held.release() };
    },
  };
}

/** The same graph, with a count of its calls. */
function counted(graph: CatalogGraph, costs: Costs): CatalogGraph {
  const watch = <T extends GraphReader>(target: T): T =>
    new Proxy(target, {
      get(reader, name) {
        const value: unknown = Reflect.get(reader, name);
        if (typeof value !== "function") return value;
        return (...args: unknown[]): unknown => {
          costs.calls.push(String(name));
          return Reflect.apply(value, reader, args);
        };
      },
    });
  const readerFor = (caller: Caller): GraphReader => watch(graph.readerFor(caller));
  return new Proxy(graph, { get: (target, name) => (name === "readerFor" ? readerFor : Reflect.get(target, name)) });
}
