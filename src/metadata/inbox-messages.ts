/** Deletes and writes the messages of a subject that is applied to the graph. */
import { type Kysely, sql } from "kysely";

import { batchesOf } from "../work/batches.ts";
import type { ConnectorId } from "../ids.ts";
import type { Tables } from "./tables.ts";

interface SubjectKey {
  connectorId: ConnectorId;
  subject: string;
}

interface Note {
  subject: string;
  body: string;
}

/** A literal, because SQLite uses a partial index only if the statement contains the condition of the index. */
const ONE = sql.lit(1 as const);

/** How many rows one statement takes. */
const BATCH = 500;

/** @returns false if a later attempt has begun */
export async function prune(
  trx: Kysely<Tables>,
  { connectorId, subject, number }: SubjectKey & { number: number },
  { unneeded, memory }: { unneeded: readonly string[]; memory: string | null },
): Promise<boolean> {
  // An update, because a row that is only read could change before this transaction ends.
  const row = await trx
    .updateTable("inboxSubjects")
    .set(({ ref }) => ({ attempts: ref("attempts") }))
    .where((eb) => eb.and({ connectorId, subject, attempts: number }))
    .returning("attempts")
    .executeTakeFirst();
  if (row === undefined) return false;
  for (const batch of batchesOf(unneeded, BATCH, () => 1)) {
    await trx
      .deleteFrom("inboxMessages")
      .where((eb) => eb.and({ connectorId, subject }))
      .where("key", "in", batch)
      .execute();
  }
  if (memory === null) return true;
  await putNotes(trx, { connectorId, key: subject }, [{ subject, body: memory }]);
  return true;
}

/** Writes notes of one author, in place of those that it wrote about the same subjects. */
async function putNotes(
  trx: Kysely<Tables>,
  { connectorId, key }: { connectorId: ConnectorId; key: string },
  notes: readonly Note[],
): Promise<void> {
  await trx
    .insertInto("inboxMessages")
    .values(notes.map(({ subject, body }) => ({ connectorId, subject, key, body, isNote: 1 as const })))
    .onConflict((conflict) =>
      conflict.columns(["connectorId", "subject", "key"]).doUpdateSet(({ ref }) => ({ body: ref("excluded.body") })),
    )
    .execute();
}

/** @returns the other subjects whose notes changed */
export async function replaceNotes(
  trx: Kysely<Tables>,
  { connectorId, subject: key }: SubjectKey,
  { notes, keepsNotes }: { notes: readonly Note[]; keepsNotes: boolean },
): Promise<string[]> {
  const before = await trx
    .selectFrom("inboxMessages")
    .select(["subject", "body"])
    .where((eb) => eb.and({ connectorId, key, isNote: ONE }))
    .execute();
  const old = new Map(before.map(({ subject, body }) => [subject, body]));
  const changed = notes.filter(({ subject, body }) => old.get(subject) !== body);
  for (const batch of batchesOf(changed, BATCH, () => 1)) await putNotes(trx, { connectorId, key }, batch);
  const kept = new Set(notes.map(({ subject }) => subject));
  const others = before.map(({ subject }) => subject).filter((subject) => !kept.has(subject));
  const gone = keepsNotes ? [] : others;
  for (const batch of batchesOf(gone, BATCH, () => 1)) {
    await trx
      .deleteFrom("inboxMessages")
      .where((eb) => eb.and({ connectorId, key, isNote: ONE }))
      .where("subject", "in", batch)
      .execute();
  }
  return [...changed.map(({ subject }) => subject), ...gone].filter((subject) => subject !== key);
}
