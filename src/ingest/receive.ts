/**
 * Takes messages that others send: stores them, then writes what they state to the graph. A message is never lost: what
 * could not be written at once is written later, also after a crash.
 */
import type { Origin } from "../auth/origin.ts";
import type { Countdown } from "../clock.ts";
import type { Received } from "../connectors/connector.ts";
import { AppError } from "../errors.ts";
import type { ConnectorId, WorkspaceId } from "../ids.ts";
import type { InboxStore, Subject } from "../metadata/inbox.ts";
import { recheckCertifications } from "../metrics/recheck-certifications.ts";
import type { Caller } from "../work/caller.ts";
import { createFailureNotes } from "../work/failure-notes.ts";
import { createPoller } from "../work/poller.ts";
import { createSlicer } from "../work/slicer.ts";
import { type ApplierParts, createEventApplier } from "./apply-events.ts";
import { getConnectorType } from "./connector-options.ts";
import { createKeyedQueue } from "./keyed-queue.ts";
import { getReceivingConnector } from "./receiving-connector.ts";

const LOOK_EVERY_MS = 10_000;
/** How long a sender waits for the graph. After that, only the message is stored. OpenLineage clients wait 5 seconds. */
const PATIENCE_MS = 2_000;
/** How many subjects are written in one look. */
const MANY = 1_000;
const NOT_WRITTEN = "events are stored, but could not be written to the graph yet";

/** What became of each message, in the order of the messages: null if it was taken, else why not. */
export type Outcomes = (AppError | null)[];

export type Receiver = ReturnType<typeof createReceiver>;

export interface ReceiverParts extends ApplierParts {
  countdown: Countdown;
  /** Whether this process writes what it receives to the graph. If not, it leaves that to others. */
  writes: boolean;
}

/** What is known between two looks. */
interface State {
  /** `away` if the graph did not answer since the last look began. Then nothing is tried until the next look. */
  graph: "reachable" | "away";
  /** Workspaces whose certifications must be checked again. At the start all: a process may have died before its check. */
  unchecked: Set<WorkspaceId> | "all";
}

export function createReceiver(parts: ReceiverParts) {
  const { graph, store, findConnectorType, clock, countdown, log, turns, writes } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const room = createInboxRoom(store.inbox, LOOK_EVERY_MS / 1_000);
  const state: State = { graph: "reachable", unchecked: new Set() };
  const applyEvents = createEventApplier(parts, () => state.graph === "away");
  const queue = createKeyedQueue(async (subject) => {
    signal.throwIfAborted();
    const touched = await applyEvents(subject, signal);
    if (state.unchecked !== "all") state.unchecked.add(subject.workspaceId);
    return touched;
  });
  const awayNotes = createFailureNotes({
    onError: (err) => log.error({ err }, NOT_WRITTEN),
    onRecovery: () => log.info("events can be written to the graph again"),
  });
  const poller = createPoller({
    look,
    everyMs: LOOK_EVERY_MS,
    onError: (err) => signal.aborted || log.error({ err }, "stored events could not be looked for"),
    onRecovery: () => log.info("stored events can be looked for again"),
  });

  /** Resolves when the subjects are written, or when the sender has waited long enough. */
  async function applyInTime(subjects: readonly Subject[]): Promise<void> {
    const { promise: isOver, resolve } = Promise.withResolvers<void>();
    const stop = countdown(PATIENCE_MS, resolve);
    await Promise.race([isOver, Promise.all(subjects.map((subject) => applyAndLog(subject)))]);
    stop();
  }

  /** A subject that cannot be written now waits for the next look. */
  async function applyAndLog(subject: Subject): Promise<void> {
    try {
      await queue.apply(subject);
      if (state.graph === "reachable") awayNotes.succeeded();
    } catch (err) {
      if (signal.aborted || state.graph === "away") return;
      if (err instanceof AppError && err.code === "unavailable") {
        state.graph = "away";
        awayNotes.failed(err);
      } else log.error({ err, connectorId: subject.connectorId }, NOT_WRITTEN);
    }
  }

  async function recheckChanged(): Promise<void> {
    if (state.unchecked === "all") state.unchecked = new Set((await store.workspaces.list()).map(({ id }) => id));
    for (const workspace of state.unchecked) {
      // First, because its lineage may change again meanwhile.
      state.unchecked.delete(workspace);
      try {
        const { audit } = store;
        await recheckCertifications({ graph, audit, workspace, actor: "lineage events", now: clock.now, signal });
      } catch (error) {
        state.unchecked.add(workspace);
        throw error;
      }
    }
  }

  async function look(): Promise<void> {
    state.graph = "reachable";
    if (writes) await Promise.all((await store.inbox.listWaiting(MANY)).map((subject) => applyAndLog(subject)));
    await room.measure();
    await recheckChanged();
  }

  return {
    /**
     * Takes messages for the workspace's connector of a type. The first ones make it, and it has the name of the type.
     * Resolves when the graph has them, or after two seconds. If other processes write them, it resolves when they are
     * stored. Before each message but the first, and within a large one, it waits for a turn of the caller.
     * @throws AppError `conflict` if the connector is disabled, is being removed, or if another connector has its name;
     * `unavailable` if the messages could not be stored, or if too many wait to be written
     */
    async receive(origin: Origin, caller: Caller, typeName: string, messages: readonly unknown[]): Promise<Outcomes> {
      const type = getConnectorType(findConnectorType, typeName);
      const { receive } = type;
      if (receive === undefined) throw new Error(`a connector of type ${typeName} takes no messages`);
      const read: (Received | AppError)[] = [];
      const slicer = createSlicer(turns, caller);
      for (const message of messages) {
        // The first message belongs to the turn of the request.
        if (read.length > 0) await slicer.next();
        read.push(await readOne(slicer.run(receive.read(message, clock.now()))));
      }
      const received = read.filter((each): each is Received => !(each instanceof AppError));
      if (received.length > 0) {
        const connector = await getReceivingConnector(store, origin, type);
        const location = { workspaceId: connector.workspaceId, connectorId: connector.id };
        const bytes = received.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
        await room.take(connector.id, bytes);
        await store.inbox.add(location, received);
        const subjects = [...new Set(received.map(({ subject }) => subject))];
        if (writes) await applyInTime(subjects.map((subject) => Object.assign({ subject }, location)));
        else await store.signals.send("events");
      }
      return read.map((each) => (each instanceof AppError ? each : null));
    },
    /** Looks now, every 10 seconds, and when another process signals that messages wait. */
    start(): void {
      if (writes) {
        state.unchecked = "all";
        store.signals.listen("events", () => void poller.again());
      }
      poller.start();
      void poller.again();
    },
    /** Writes the messages that wait, and checks the certifications of workspaces whose lineage changed. */
    look: poller.again,
    /** Ends running work after its current step. What is not done waits for the next start. */
    async stop(): Promise<void> {
      const polled = poller.stop();
      stopping.abort(new Error("the service is stopping"));
      await queue.idle();
      await polled;
    },
  };
}

/** The message, or why it is refused. */
async function readOne(reading: Promise<Received>): Promise<Received | AppError> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError && !error.endsRequest) return error;
    throw error;
  }
}

/** Of one connector. */
export const MAX_WAITING_BYTES = 256 * 1024 * 1024;

/** @param retryAfterSeconds how long until the next call of `measure` */
function createInboxRoom(inbox: Pick<InboxStore, "measureWaiting">, retryAfterSeconds: number) {
  /** What waited when it was measured, and all that came since. Some of it may be written by now. */
  let waiting = new Map<ConnectorId, number>();
  /** Measuring takes longer the more there is, so requests ask for it once between two calls of `measure`. */
  let wasAsked = false;

  const fits = (connector: ConnectorId, bytes: number): boolean =>
    (waiting.get(connector) ?? 0) + bytes <= MAX_WAITING_BYTES;

  return {
    /** @throws AppError `unavailable` if the messages do not fit */
    async take(connector: ConnectorId, bytes: number): Promise<void> {
      if (!fits(connector, bytes) && !wasAsked) {
        wasAsked = true;
        waiting = await inbox.measureWaiting();
      }
      if (!fits(connector, bytes)) {
        const message = "Too many events wait to be written to the graph: send them again later.";
        throw new AppError("unavailable", message, { retryAfterSeconds });
      }
      waiting.set(connector, (waiting.get(connector) ?? 0) + bytes);
    },
    /** Looks how much waits by now. */
    async measure(): Promise<void> {
      waiting = await inbox.measureWaiting();
      wasAsked = false;
    },
  };
}
