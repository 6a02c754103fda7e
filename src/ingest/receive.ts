/**
 * Takes messages that others send: stores them, then writes what they state to the graph. A message is never lost: what
 * could not be written at once is written later, also after a crash.
 */
import { change } from "../auth/change.ts";
import type { Origin } from "../auth/origin.ts";
import type { Countdown } from "../clock.ts";
import type { Received } from "../connectors/connector.ts";
import { AppError } from "../errors.ts";
import type { WorkspaceId } from "../ids.ts";
import type { Subject } from "../metadata/inbox.ts";
import type { Connector } from "../metadata/records.ts";
import { recheckCertifications } from "../metrics/recheck-certifications.ts";
import type { Caller } from "../work/caller.ts";
import { createFailureNotes } from "../work/failure-notes.ts";
import { createSlicer } from "../work/slicer.ts";
import { getConnectorType } from "./connector-options.ts";
import { createInboxRoom } from "./inbox-room.ts";
import { createEventApplier, type ApplierParts } from "./apply-events.ts";
import { createKeyedQueue } from "./keyed-queue.ts";

/** How often what waits is looked for. */
const LOOK_EVERY_MS = 10_000;
/** How long a sender waits for the graph. After that, only the message is stored. OpenLineage clients wait 5 seconds. */
const PATIENCE_MS = 2_000;
/** Subjects that are settled in one look. */
const MANY = 1_000;
const NOT_WRITTEN = "events are stored, but could not be written to the graph yet";

/** What became of each message, in the order of the messages: null if it was taken, else why not. */
export type Outcomes = (AppError | null)[];

export interface Receiver {
  /**
   * Takes messages for the workspace's connector of a type. The first ones make it, and it has the name of the type.
   * Resolves when the graph has them, or after two seconds. If other processes write them, it resolves when they are
   * stored. Before each message but the first, and within a large one, it waits for a turn of the caller.
   * @throws AppError `conflict` if the connector is disabled, is being removed, or if another connector has its name;
   * `unavailable` if the messages could not be stored, or if too many wait to be written
   */
  receive(origin: Origin, caller: Caller, type: string, messages: readonly unknown[]): Promise<Outcomes>;
  /** Settles what waits, now, every 10 seconds, and when another process signals it. */
  start(): void;
  /** Settles what waits, and the certifications of workspaces whose lineage changed. */
  look(): Promise<void>;
  /** Ends running work after its current step. What is not done waits for the next start. */
  stop(): Promise<void>;
}

export interface ReceiverParts extends ApplierParts {
  countdown: Countdown;
  /** Whether this process writes what it receives to the graph. If not, it leaves that to others. */
  settles: boolean;
}

export function createReceiver(parts: ReceiverParts): Receiver {
  const { graph, store, findConnectorType, clock, countdown, log, turns, settles } = parts;
  const stopping = new AbortController();
  const room = createInboxRoom(store.inbox, LOOK_EVERY_MS / 1_000);
  /** Whether the graph was away after the last look began. Then nothing is tried until the next look. */
  let isAway = false;
  const applyEvents = createEventApplier(parts, () => isAway);
  /** Workspaces whose lineage changed after their certifications were settled. */
  const changed = new Set<WorkspaceId>();
  /** Whether a process that died may have left certifications that have to be settled. */
  let isFirstLook = false;
  const line = createKeyedQueue(async (subject) => {
    stopping.signal.throwIfAborted();
    const touched = await applyEvents(subject, stopping.signal);
    changed.add(subject.workspaceId);
    return touched;
  });
  const awayNotes = createFailureNotes({
    onError: (err) => log.error({ err }, NOT_WRITTEN),
    onRecovery: () => log.info("events can be written to the graph again"),
  });
  const lookNotes = createFailureNotes({
    onError: (err) => log.error({ err }, "stored events could not be looked for"),
    onRecovery: () => log.info("stored events can be looked for again"),
  });
  let looking: Promise<void> | undefined;
  let wasSignalled = false;
  let stopCountdown: (() => void) | undefined;

  async function findOrAdd(origin: Origin, typeName: string): Promise<Connector> {
    const workspaceId = origin.workspace.id;
    const { secretOptions } = getConnectorType(findConnectorType, typeName);
    const connector =
      (await store.connectors.findByName(workspaceId, typeName)) ?? (await findByType(workspaceId, typeName));
    if (connector === null) {
      return change(store, origin, async ({ connectors }, note) => {
        // Somebody else may have added it in the meantime.
        const found = await connectors.findByName(workspaceId, typeName);
        if (found !== null) return found;
        const made = await connectors.create({
          workspaceId,
          type: typeName,
          name: typeName,
          options: {},
          secretOptions,
        });
        await note("connector_added", made.id, { name: typeName, type: typeName, options: [] });
        return made;
      });
    }
    return connector.type === typeName ? connector : ((await findByType(workspaceId, typeName)) ?? connector);
  }

  /** The oldest one, if somebody renamed it or added several. */
  async function findByType(workspaceId: WorkspaceId, type: string): Promise<Connector | null> {
    const { items } = await store.connectors.list(workspaceId, { after: null, limit: MANY });
    const all = items.filter((each) => each.type === type);
    return all.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id))[0] ?? null;
  }

  async function applyInTime(subjects: readonly Subject[]): Promise<void> {
    const { promise: isOver, resolve } = Promise.withResolvers<void>();
    const stop = countdown(PATIENCE_MS, resolve);
    await Promise.race([isOver, Promise.all(subjects.map((subject) => applyAndLog(subject)))]);
    stop();
  }

  /** A subject that cannot be settled now waits. */
  async function applyAndLog(subject: Subject): Promise<void> {
    try {
      await line.apply(subject);
      if (!isAway) awayNotes.succeeded();
    } catch (err) {
      if (stopping.signal.aborted) return;
      const wasAway = isAway;
      isAway ||= err instanceof AppError && err.code === "unavailable";
      if (wasAway) return;
      if (isAway) awayNotes.failed(err);
      else log.error({ err, connectorId: subject.connectorId }, NOT_WRITTEN);
    }
  }

  async function recheckCertificationsOf(workspace: WorkspaceId): Promise<void> {
    // First, because its lineage may change again meanwhile.
    changed.delete(workspace);
    try {
      const { signal } = stopping;
      await recheckCertifications({ graph, workspace, actor: "lineage events", now: clock.now, signal });
    } catch (error) {
      changed.add(workspace);
      throw error;
    }
  }

  async function lookOnce(): Promise<void> {
    isAway = false;
    if (settles) await Promise.all((await store.inbox.listWaiting(MANY)).map((subject) => applyAndLog(subject)));
    await room.measure();
    if (isFirstLook) for (const { id } of await store.workspaces.list()) changed.add(id);
    isFirstLook = false;
    for (const workspace of changed) await recheckCertificationsOf(workspace);
  }

  function look(): Promise<void> {
    looking ??= lookOnce()
      .then(lookNotes.succeeded, (error: unknown) => {
        if (!stopping.signal.aborted) lookNotes.failed(error);
      })
      .finally(() => (looking = undefined));
    return looking;
  }

  /** What a signal is about may have come after the running look has listed what waits. */
  async function lookOnSignal(): Promise<void> {
    if (wasSignalled) return;
    wasSignalled = true;
    await looking;
    wasSignalled = false;
    if (!stopping.signal.aborted) await look();
  }

  async function lookAgain(): Promise<void> {
    await look();
    if (!stopping.signal.aborted) stopCountdown = countdown(LOOK_EVERY_MS, () => void lookAgain());
  }

  return {
    async receive(origin, caller, typeName, messages) {
      const { receive } = getConnectorType(findConnectorType, typeName);
      if (receive === undefined) throw new Error(`a connector of type ${typeName} takes no messages`);
      const read: (Received | AppError)[] = [];
      const pace = createSlicer(turns, caller);
      for (const message of messages) {
        // The request had its turn, which is for the first one.
        if (read.length > 0) await pace.next();
        read.push(await readOne(pace.run(receive.read(message, clock.now()))));
      }
      const received = read.filter((each): each is Received => !(each instanceof AppError));
      if (received.length > 0) {
        const connector = await findOrAdd(origin, typeName);
        requireOpen(connector, typeName);
        const location = { workspaceId: connector.workspaceId, connectorId: connector.id };
        const bytes = received.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
        await room.take(connector.id, bytes);
        await store.inbox.add(location, received);
        const subjects = [...new Set(received.map(({ subject }) => subject))];
        if (settles) await applyInTime(subjects.map((subject) => Object.assign({ subject }, location)));
        else await store.signals.send("events");
      }
      return read.map((each) => (each instanceof AppError ? each : null));
    },
    start() {
      isFirstLook = settles;
      if (settles) store.signals.listen("events", () => void lookOnSignal());
      void lookAgain();
    },
    look,
    async stop() {
      stopCountdown?.();
      stopping.abort(new Error("the service is stopping"));
      await line.idle();
      await looking;
    },
  };
}

/** @throws AppError `conflict` */
function requireOpen({ name, type, disabledAt }: Connector, wanted: string): void {
  if (type !== wanted) {
    throw new AppError(
      "conflict",
      `The connector ${name} is of type ${type}: rename it, so that events get their own.`,
    );
  }
  if (disabledAt !== null) throw new AppError("conflict", `The connector ${name} is disabled: it takes no events.`);
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
