/**
 * Messages that others sent to a connector, by the subjects that they are about, until the graph has what they state.
 * What one subject says about another is kept in the same way, as a note.
 */
import { type Kysely, sql } from "kysely";

import { AppError } from "../errors.ts";
import type { ConnectorId, WorkspaceId } from "../ids.ts";
import { batchesOf } from "../work/batches.ts";
import { inTransaction, type StoreContext } from "./context.ts";
import { isFree, leaseFrom, setLease } from "./inbox-leases.ts";
import { prune, replaceNotes } from "./inbox-messages.ts";
import { nextRun } from "./runs.ts";
import { loadReception } from "./receptions.ts";
import type { SyncError } from "./records.ts";
import type { Tables } from "./tables.ts";

/** A subject of one connector. */
export interface Subject {
  workspaceId: WorkspaceId;
  connectorId: ConnectorId;
  subject: string;
}

interface Message {
  subject: string;
  key: string;
  body: string;
}

/** A subject that a process applies to the graph, with its messages as they were when the attempt began. */
export interface SubjectLease extends Subject {
  version: number;
  /** Counts the attempts of the subject. */
  number: number;
  /** Counts the attempts of all subjects of the connector. It never starts again, so a later attempt has a higher number. */
  run: number;
  messages: { key: string; body: string; isNote: boolean }[];
}

interface SubjectResult {
  /** They replace the notes that the subject wrote before. */
  notes: readonly { subject: string; body: string }[];
  /** Whether the other notes that the subject wrote before stay. */
  keepsNotes?: boolean;
  expiresAt: string | null;
  errors: readonly SyncError[];
  errorsTotal: number;
}

export type InboxStore = ReturnType<typeof createInboxStore>;

/** How many rows one statement takes. */
const BATCH = 500;

export function createInboxStore({ db, now }: StoreContext) {
  return {
    /**
     * Stores messages and notes the time. One whose key is stored already changes nothing.
     * @throws AppError `conflict` if the connector is being removed
     */
    add: ({ workspaceId, connectorId }: Omit<Subject, "subject">, messages: readonly Message[]) =>
      inTransaction(db, async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable("connectors")
          .set({ receivedAt: now() })
          .where((eb) => eb.and({ workspaceId, id: connectorId }))
          .where("removingAt", "is", null)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) throw new AppError("conflict", "The connector of these events is being removed.");
        const added = new Set<string>();
        for (const message of messages) {
          const { numInsertedOrUpdatedRows = 0n } = await trx
            .insertInto("inboxMessages")
            .values({ connectorId, ...message, isNote: 0 })
            .onConflict((conflict) => conflict.columns(["connectorId", "subject", "key"]).doNothing())
            .executeTakeFirst();
          if (numInsertedOrUpdatedRows > 0n) added.add(message.subject);
        }
        await touch(trx, { workspaceId, connectorId }, [...added]);
      }),
    /** Extends the lease of a running attempt. */
    renew: (lease: SubjectLease) => setLease(db, lease, leaseFrom(now())),
    /** Ends the lease, so that the subject waits again. Does nothing if the attempt has ended. */
    release: (lease: SubjectLease) => setLease(db, lease, null),
    /**
     * Begins an attempt to apply the subject to the graph. Its lease lasts 20 seconds. No other process begins an attempt
     * in that time.
     * @param processId the process. It may begin again what it began itself.
     * @returns null if the graph has everything about the subject already, or another process has the lease
     */
    begin: ({ workspaceId, connectorId, subject }: Subject, processId: string) =>
      inTransaction(db, async (trx) => {
        const row = await trx
          .updateTable("inboxSubjects")
          .set(({ eb }) => ({ attempts: eb("attempts", "+", 1), processId, leaseUntil: leaseFrom(now()) }))
          .where((eb) => eb.and({ workspaceId, connectorId, subject }))
          .whereRef("appliedVersion", "<", "version")
          .where((where) => where.or([where("processId", "=", processId), isFree(where, now())]))
          .returning(["version", "attempts"])
          .executeTakeFirst();
        if (row === undefined) return null;
        const run = await nextRun(trx, connectorId, new Date(now()));
        const messages = await trx
          .selectFrom("inboxMessages")
          .select(["key", "body", "isNote"])
          .where((eb) => eb.and({ connectorId, subject }))
          .orderBy("key")
          .execute();
        return {
          workspaceId,
          connectorId,
          subject,
          version: row.version,
          number: row.attempts,
          run,
          messages: messages.map(({ key, body, isNote }) => ({ key, body, isNote: isNote === 1 })),
        };
      }),
    /**
     * Deletes messages that are no longer needed, and keeps a note in their stead. This may happen before the graph has
     * what the subject states.
     * @param memory the note of the subject about itself; null if there is none
     * @returns false, and changes nothing, if a later attempt has begun
     */
    prune: (lease: SubjectLease, unneeded: readonly string[], memory: string | null) =>
      inTransaction(db, (trx) => prune(trx, lease, { unneeded, memory })),
    /**
     * Ends an attempt: writes notes, and records that the graph has everything up to the version. Changes nothing if a
     * later attempt has begun.
     * @returns the other subjects whose notes changed, and this one if messages came in the meantime
     */
    end: (lease: SubjectLease, result: SubjectResult) => inTransaction(db, (trx) => endLease(trx, lease, result)),
    /**
     * Subjects of all workspaces that must be applied and that no process is applying. Expired subjects are listed too.
     */
    async listWaiting(limit: number): Promise<Subject[]> {
      await db
        .updateTable("inboxSubjects")
        .set(({ eb }) => ({ version: eb("version", "+", 1), expiresAt: null }))
        .where("expiresAt", "<=", now())
        .execute();
      return db
        .selectFrom("inboxSubjects")
        .innerJoin("connectors", "connectors.id", "inboxSubjects.connectorId")
        .select(["inboxSubjects.workspaceId", "connectorId", "subject"])
        .whereRef("appliedVersion", "<", "version")
        .where((where) => isFree(where, now()))
        .where("removingAt", "is", null)
        .where("disabledAt", "is", null)
        .limit(limit)
        .execute();
    },
    /** Bytes of the messages and notes of all subjects that wait, by connector. */
    async measureWaiting(): Promise<Map<ConnectorId, number>> {
      const rows = await db
        .selectFrom("inboxSubjects as s")
        .innerJoin("inboxMessages as m", (join) =>
          join.onRef("m.connectorId", "=", "s.connectorId").onRef("m.subject", "=", "s.subject"),
        )
        .whereRef("s.appliedVersion", "<", "s.version")
        .groupBy("s.connectorId")
        .select(["s.connectorId", sql<number>`sum(octet_length(m.body))`.as("bytes")])
        .execute();
      return new Map(rows.map(({ connectorId, bytes }) => [connectorId, bytes]));
    },
    /** Makes all subjects of a connector wait again. */
    async reopen(workspaceId: WorkspaceId, connectorId: ConnectorId): Promise<void> {
      await db
        .updateTable("inboxSubjects")
        .set(({ eb }) => ({ version: eb("version", "+", 1) }))
        .where((eb) => eb.and({ workspaceId, connectorId }))
        .execute();
    },
    loadReceptions: (workspaceId: WorkspaceId, connectorIds: readonly ConnectorId[]) =>
      Promise.all(connectorIds.map((connectorId) => loadReception(db, workspaceId, connectorId))),
  };
}

/** Makes subjects wait. */
async function touch(
  trx: Kysely<Tables>,
  { workspaceId, connectorId }: Omit<Subject, "subject">,
  subjects: readonly string[],
): Promise<void> {
  for (const batch of batchesOf(subjects, BATCH, () => 1)) {
    await trx
      .insertInto("inboxSubjects")
      .values(batch.map((subject) => ({ workspaceId, connectorId, subject, version: 1 })))
      .onConflict((conflict) =>
        conflict.columns(["connectorId", "subject"]).doUpdateSet(({ eb }) => ({
          version: eb("inboxSubjects.version", "+", 1),
        })),
      )
      .execute();
  }
}

async function endLease(
  trx: Kysely<Tables>,
  { workspaceId, connectorId, subject, version, number }: SubjectLease,
  { notes, keepsNotes = false, expiresAt, errors, errorsTotal }: SubjectResult,
): Promise<string[]> {
  const row = await trx
    .updateTable("inboxSubjects")
    .set({
      appliedVersion: version,
      processId: null,
      leaseUntil: null,
      expiresAt,
      errors: [...errors],
      errorsTotal,
      failed: Number(errors.some(({ severity }) => severity === "error")),
    })
    .where((eb) => eb.and({ workspaceId, connectorId, subject, attempts: number }))
    .returning("version")
    .executeTakeFirst();
  if (row === undefined) return [];
  const touched = await replaceNotes(trx, { connectorId, subject }, { notes, keepsNotes });
  await touch(trx, { workspaceId, connectorId }, touched);
  await forgetIfEmpty(trx, { connectorId, subject });
  return row.version > version ? [...touched, subject] : touched;
}

/** A subject about which nothing is kept any more states nothing. */
async function forgetIfEmpty(
  trx: Kysely<Tables>,
  { connectorId, subject }: Omit<Subject, "workspaceId">,
): Promise<void> {
  await trx
    .deleteFrom("inboxSubjects")
    .where((eb) => eb.and({ connectorId, subject }))
    .whereRef("appliedVersion", "=", "version")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("inboxMessages")
            .select(sql<number>`1`.as("one"))
            .where("connectorId", "=", connectorId)
            .where("subject", "=", subject),
        ),
      ),
    )
    .execute();
}
