/** Writes what the messages about one subject state together, in place of what they stated before. */
import { randomUUID } from "node:crypto";

import type { AskSql, ConnectorType, Receive, SubjectStatements } from "../connectors/connector.ts";
import { AppError } from "../errors.ts";
import type { SubjectLease, Subject } from "../metadata/inbox.ts";
import type { Connector } from "../metadata/records.ts";
import type { LineageRequest } from "../sql-lineage/request.ts";
import { statementKey } from "../sql-lineage/statement-key.ts";
import type { Caller } from "../work/caller.ts";
import { createSlicer } from "../work/slicer.ts";
import type { EventLoopScheduler } from "../work/event-loop-scheduler.ts";
import { createErrorList, type ErrorList } from "./error-list.ts";
import { syncName } from "./sync-name.ts";
import type { IngestParts } from "./run-crawl.ts";
import { createScopeWriter } from "./scope-writer.ts";
import { stampOf } from "./stamp.ts";
import { createStatementReader } from "./statement-reader.ts";

/**
 * The graph keeps the id of each run, so ids are used again after this many runs. A sweep removes what a run with another id
 * stamped, so only runs of one subject that follow each other need different ids.
 */
const RUN_IDS = 1_000;

/**
 * Writes what the messages about a subject state, if the subject waits and no other process has its lease. It may be repeated.
 * If a process was frozen for longer than its lease, two runs may overlap. The later one knows everything that the earlier one
 * knows. As soon as it writes, the graph refuses the writes of the earlier one.
 * @returns the subjects that wait now
 */
export type ApplyEvents = (subject: Subject, signal: AbortSignal) => Promise<Subject[]>;

/** What receives the messages, loaded. */
interface Receiving {
  connector: Connector;
  type: ConnectorType;
  receive: Receive<unknown>;
  options: unknown;
  signal: AbortSignal;
}

export interface ApplierParts extends IngestParts {
  turns: EventLoopScheduler;
}

/** Several times in a lease. */
const RENEW_EVERY_MS = 5_000;

/** @param isAway whether the graph did not answer lately. Then a subject is only pruned, and waits on. */
export function createEventApplier(parts: ApplierParts, isAway: () => boolean): ApplyEvents {
  const { graph, store, findConnectorType, clock, log, turns } = parts;
  /** This process. */
  const processId = randomUUID();
  const reader = createStatementReader(parts.sqlLineage, store.lineageAnswers);

  async function write(
    { workspaceId, connectorId, number, run }: SubjectLease,
    { events }: SubjectStatements,
    given: Receiving & { errors: ErrorList },
  ): Promise<void> {
    const { connector, type, errors, signal } = given;
    const workspace = await store.workspaces.findById(workspaceId);
    if (workspace === null) return;
    await syncName(parts, connector);
    const caller = { tenant: `events:${connectorId}`, signal };
    const id = `events ${number % RUN_IDS} of ${connectorId}`;
    const writer = createScopeWriter({
      graph,
      stamp: stampOf(connector, type, { id, run, runsByScope: true }, clock),
      workspace: workspace.name,
      errors,
      reader,
      caller,
      peers: new Set(),
      // A subject is small, and what replaces its statements is newer.
      removalShare: 100,
      wasHeldBack: false,
      isWholeSource: false,
      onReading: () => {},
    });
    const slicer = createSlicer(turns, caller);
    for (const event of events) {
      if (slicer.isDue()) await slicer.next();
      if (event.kind !== "progress" && event.kind !== "state" && event.kind !== "unkept") await writer.take(event);
    }
    await writer.finish();
  }

  /** Works once without the answers, and if it asked for some, once more with them. */
  async function withAnswers<Result>(caller: Caller, work: (ask: AskSql) => Promise<Result>): Promise<Result> {
    const asked = new Map<string, LineageRequest>();
    const first = await work((request) => {
      asked.set(statementKey(request), request);
      return null;
    });
    if (asked.size === 0) return first;
    const answers = await reader.read([...asked.values()], caller);
    const byKey = new Map([...asked.keys()].map((key, i) => [key, answers[i] ?? null]));
    return work((request) => byKey.get(statementKey(request)) ?? null);
  }

  /** @returns the subjects that wait now; null if the run did not end */
  async function applyOnce(open: SubjectLease, given: Receiving): Promise<string[] | null> {
    const { connector, receive, options } = given;
    const errors = createErrorList(clock, log, { connectorId: connector.id });
    const caller = { tenant: `events:${open.connectorId}`, signal: given.signal };
    await turns.next(caller);
    const now = clock.now();
    const stated = await withAnswers(caller, (ask) =>
      createSlicer(turns, caller).run(receive.stateSubject(open.subject, open.messages, options, now, ask)),
    );
    const { needed, notes, expiresAt, isAsking = false } = stated;
    const unneeded = open.messages.filter(({ key, isNote }) => !isNote && needed?.has(key) === false);
    const memory = notes.find(({ subject }) => subject === open.subject)?.body ?? null;
    // Before the graph is asked, so that messages do not pile up while it is away.
    const isOwn = await store.inbox.prune(
      open,
      unneeded.map(({ key }) => key),
      memory,
    );
    if (!isOwn || isAway()) return null;
    await write(open, stated, { ...given, errors });
    return store.inbox.end(open, {
      notes,
      keepsNotes: isAsking,
      expiresAt,
      errors: errors.kept,
      errorsTotal: errors.total,
    });
  }

  /** @returns null if the run did not end */
  async function applyLeased(open: SubjectLease, signal: AbortSignal): Promise<Subject[] | null> {
    const { workspaceId, connectorId } = open;
    // Read after the lease began: if the options change later, the subject waits again.
    const connector = await store.connectors.findById(workspaceId, connectorId);
    // Its messages wait until it is enabled, or go with it.
    if (connector === null || connector.removingAt !== null || connector.disabledAt !== null) return null;
    const type = findConnectorType(connector.type);
    const parsed = await type?.options.safeParseAsync(connector.options);
    if (!type?.receive || parsed?.success !== true) return null;
    const given = { connector, type, receive: type.receive, options: parsed.data, signal };
    try {
      const touched = await applyOnce(open, given);
      return touched && touched.map((each) => ({ workspaceId, connectorId, subject: each }));
    } catch (error) {
      // A later run has written, or the connector was removed.
      if (error instanceof AppError && error.code === "conflict") return null;
      throw error;
    }
  }

  return async (subject, signal) => {
    const open = await store.inbox.begin(subject, processId);
    if (open === null) return [];
    const renewing = setInterval(() => void store.inbox.renew(open).catch(() => {}), RENEW_EVERY_MS).unref();
    let touched: Subject[] | null = null;
    try {
      touched = await applyLeased(open, signal);
    } finally {
      clearInterval(renewing);
      // If the store is away, the lease ends by itself.
      if (touched === null) await store.inbox.release(open).catch(() => {});
    }
    return touched ?? [];
  };
}
