/** GraphQL over the reference graph, with every call to the stores counted. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { pino } from "pino";

import { createRefusalTrail } from "../../src/auth/refusals.ts";
import { createLoginParts } from "../../src/auth/logins/login-parts.ts";
import { parseSettings } from "../../src/settings/settings.ts";
import { createAgent } from "../../src/agent/agent.ts";
import { systemClock, systemCountdown, systemRandom } from "../../src/clock.ts";
import { createReceiver } from "../../src/ingest/receive.ts";
import { createConnectorService } from "../../src/ingest/connector-service.ts";
import { createScheduler } from "../../src/ingest/scheduler.ts";
import { createSyncService } from "../../src/ingest/sync-service.ts";
import type { CatalogGraph, GraphReader } from "../../src/graph/catalog-graph.ts";
import { createCursors } from "../../src/cursors.ts";
import type { RequestScope } from "../../src/graphql/context.ts";
import type { Documents } from "../../src/graphql/documents.ts";
import { createOperationRunner } from "../../src/graphql/run-operation.ts";
import { schema } from "../../src/graphql/schema.ts";
import { createGraphqlHandler } from "../../src/graphql/yoga.ts";
import type { Scope, Workspace } from "../../src/metadata/records.ts";
import { type MetadataStore, openMetadataStore } from "../../src/metadata/store.ts";
import { createHeartbeat } from "../../src/ingest/queue/heartbeat.ts";
import { createLocalQueue } from "../../src/ingest/queue/local.ts";
import type { Services } from "../../src/services.ts";
import { resolveColumns } from "../../src/sql-lineage/resolve-columns.ts";
import { createSavedImpacts } from "../../src/what-if/saved-impacts.ts";
import { createWhatIf } from "../../src/what-if/what-if.ts";
import type { Caller } from "../../src/work/caller.ts";
import { createSourceAddresses } from "../../src/connectors/http/source-addresses.ts";
import { createNoticeDeliverer } from "../../src/notices/deliverer.ts";
import { createMemoryLimits } from "../../src/limits/memory/index.ts";
import { toBudgetLimits } from "../../src/work/budget.ts";
import { observeNothing } from "../../src/work/observe.ts";
import { createLargeRequests } from "../../src/work/large-requests.ts";
import { createRowMemoryLimit } from "../../src/work/row-memory-limit.ts";
import { createEventLoopScheduler } from "../../src/work/event-loop-scheduler.ts";
import { makePrincipal } from "./principal.ts";
import { createReferenceGraph } from "./reference-graph.ts";

interface GraphqlAnswer {
  status: number;
  data: unknown;
  errors: { message: string; path?: (string | number)[]; extensions: Record<string, unknown> }[];
}

export interface GraphqlBench {
  graph: CatalogGraph;
  workspace: Workspace;
  /** The names of the graph's methods that were called, in order. `ask` empties the list. */
  calls: string[];
  metadata: MetadataStore;
  /** The methods of the metadata store that were called, in order, such as `syncs.loadLatest`. `ask` empties the list. */
  metadataCalls: string[];
  /** The unexpected errors that the service would have logged. */
  logged: string[];
  /** Runs one of the operations that REST routes are made of. */
  run(operation: string, variables: Record<string, unknown>): Promise<unknown>;
  ask(query: string, variables?: Record<string, unknown>, scopes?: Scope[]): Promise<GraphqlAnswer>;
  /** Posts any parameters of a request. */
  askRaw(params: Record<string, unknown>, scopes?: Scope[]): Promise<GraphqlAnswer>;
  documents: Documents;
  close(): Promise<void>;
}

function countCalls<T extends GraphReader | CatalogGraph>(graph: T, calls: string[]): T {
  return new Proxy(graph, {
    get(target, name, receiver) {
      // Reads for a caller are counted as well.
      if (name === "readerFor")
        return (caller: Caller) => countCalls((target as CatalogGraph).readerFor(caller), calls);
      if (typeof name === "string") calls.push(name);
      return Reflect.get(target, name, receiver);
    },
  });
}

/** The same store, with the calls of each of its repositories noted. */
function countRepositories(store: MetadataStore, calls: string[]): MetadataStore {
  const counted = Object.entries(store).map(([noun, repository]: [string, unknown]) => {
    if (typeof repository !== "object" || repository === null) return [noun, repository];
    const noted = new Proxy(repository, {
      get(target, name, receiver) {
        if (typeof name === "string") calls.push(`${noun}.${name}`);
        return Reflect.get(target, name, receiver);
      },
    });
    return [noun, noted];
  });
  return { ...store, ...Object.fromEntries(counted) };
}

const run = () => Promise.reject(new Error("not asked here"));

const mail = {
  publicUrl: () => "https://here.example",
  unsubscribe: { pathFor: () => "", end: () => Promise.resolve(false) },
  hasMail: false,
  watch: { changed: () => {}, next: () => Promise.resolve() },
};

/** @param change wraps the graph, to make it fail in a test */
export async function openGraphqlBench(
  change: (graph: CatalogGraph) => CatalogGraph = (graph) => graph,
): Promise<GraphqlBench> {
  const folder = await mkdtemp(path.join(tmpdir(), "tributary-graphql-"));
  const metadata = await openMetadataStore({
    url: { kind: "sqlite", path: path.join(folder, "metadata.sqlite") },
    secretKey: Buffer.from("a secret that is long enough for tests"),
    clock: systemClock,
    random: systemRandom,
  });
  const workspace = await metadata.workspaces.create({ name: "default", kind: "live" });
  const graph = createReferenceGraph();
  const changed: CatalogGraph = { ...change(graph), readerFor: () => changed };
  const calls: string[] = [];
  const counted = countCalls(changed, calls);
  const metadataCalls: string[] = [];
  const countedMetadata = countRepositories(metadata, metadataCalls);
  const logged: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void logged.push(line) });
  const auth = { store: metadata, clock: systemClock, random: systemRandom };
  const counts = createMemoryLimits({ clock: systemClock, blockMs: 60_000 });
  const queue = createLocalQueue({ store: metadata, run, clock: systemClock });
  const services: Services = {
    graph: counted,
    connected: Promise.resolve(),
    metadata: countedMetadata,
    findConnectorType: () => null,
    queue,
    heartbeat: createHeartbeat({ store: metadata, log }),
    scheduler: createScheduler({ store: metadata, queue, findConnectorType: () => null, clock: systemClock, log }),
    savedImpacts: createSavedImpacts({ store: metadata, turns: createEventLoopScheduler(), clock: systemClock, log }),
    sweepers: [],
    syncs: createSyncService({
      store: metadata,
      queue,
      findConnectorType: () => null,
      clock: systemClock,
    }),
    noticeRules: { ...auth, ...mail, addresses: createSourceAddresses([]), send: run },
    notices: createNoticeDeliverer({ ...auth, ...mail, graph, send: run, log }),
    connectors: createConnectorService({
      graph,
      store: metadata,
      queue,
      findConnectorType: () => null,
      clock: systemClock,
      log,
    }),
    receiver: createReceiver({
      writes: true,
      graph,
      store: metadata,
      sqlLineage: { resolve: () => Promise.reject(new Error("not asked here")) },
      findConnectorType: () => null,
      clock: systemClock,
      countdown: systemCountdown,
      turns: createEventLoopScheduler(),
      log,
    }),
    logins: createLoginParts(auth, { settings: parseSettings({}), secretKey: Buffer.alloc(32), counts, log }),
    counts,
    sso: null,
    agent: createAgent({ clock: systemClock, random: systemRandom, chooser: null }),
    sqlLineage: { resolve: (request) => Promise.resolve(resolveColumns(request)) },
    whatIf: createWhatIf({
      graph: counted,
      store: metadata,
      sqlLineage: { resolve: () => Promise.reject(new Error("not asked here")) },
      findConnectorType: () => null,
      turns: createEventLoopScheduler(),
      maxAffected: 100,
    }),
    auth,
    refusals: createRefusalTrail({ ...auth, log }),
    cursors: createCursors(Buffer.from("another secret that is long enough"), systemClock),
    health: () => Promise.reject(new Error("not asked here")),
    maxLineageNodes: 100,
    budgetLimits: toBudgetLimits({ maxLineageNodes: 10_000, maxAnswerBytes: 1_000_000 }),
    largeRequests: createLargeRequests(),
    heldRows: createRowMemoryLimit({ all: 1_000_000, ofOne: 1_000_000 }),
    turns: createEventLoopScheduler(),
    observe: observeNothing,
    log,
  };
  const runner = createOperationRunner(schema, services);
  const handler = createGraphqlHandler(schema, services, runner.run);
  const scopeOf = (scopes: readonly Scope[]): RequestScope => ({
    principal: makePrincipal({ workspace, scopes: new Set(scopes) }),
    requestId: "a-request",
    source: "192.0.2.1",
    signal: new AbortController().signal,
    giveUp: () => {},
    takeUnits: async () => {},
    nextTurn: async () => {},
  });
  async function askRaw(params: Record<string, unknown>, scopes: Scope[] = ["read"]): Promise<GraphqlAnswer> {
    calls.length = 0;
    metadataCalls.length = 0;
    const answer = await handler.handle(
      { url: "http://localhost/graphql", params, accept: "application/json" },
      scopeOf(scopes),
    );
    if ("events" in answer) throw new Error("a subscription is not asked here");
    const { status, value } = answer;
    const body: { data?: unknown; errors?: GraphqlAnswer["errors"] } = JSON.parse(JSON.stringify(value));
    return { status, data: body.data ?? null, errors: body.errors ?? [] };
  }

  return {
    graph,
    workspace,
    calls,
    metadata,
    metadataCalls,
    logged,
    documents: handler.documents,
    ask: (query, variables = {}, scopes = ["read"]) => askRaw({ query, variables }, scopes),
    askRaw,
    run: (operation, variables) => runner.run(operation, variables, scopeOf(["read"])),
    async close() {
      await metadata.close();
      await rm(folder, { recursive: true });
    },
  };
}
