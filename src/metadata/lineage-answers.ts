/** Stores what the reader of SQL has found, so that no text is read twice. */
import type { ColumnParent, LineageAnswer } from "../sql-lineage/request.ts";
import { AppError } from "../errors.ts";
import { batchesOf } from "../work/batches.ts";
import type { StoreContext } from "./context.ts";
import type { Tables } from "./tables.ts";

/** The last use of an entry is stored to the day, so that finding it rarely needs a write. */
const DAY_MS = 24 * 60 * 60 * 1_000;
const UNUSED_DAYS = 30;
/** How many keys or rows one statement takes. */
const BATCH = 1_000;

type Row = Tables["columnLineage"];

/**
 * The key of an answer is its `statementKey`, which includes everything that the answer depends on. No workspace is
 * needed.
 */
export type LineageAnswerStore = ReturnType<typeof createLineageAnswerStore>;

export function createLineageAnswerStore({ db, now, withoutFlush }: StoreContext) {
  const daysAgo = (days: number): string => new Date(Date.parse(now()) - days * DAY_MS).toISOString();

  async function load(keys: readonly string[]): Promise<Row[]> {
    const rows: Row[] = [];
    for (const batch of inBatches(keys)) {
      rows.push(...(await db.selectFrom("columnLineage").selectAll().where("key", "in", batch).execute()));
    }
    return rows;
  }

  return {
    /** The known answers by their keys. */
    async find(keys: readonly string[]): Promise<Map<string, LineageAnswer>> {
      const rows = await load(keys);
      const stale = rows.filter(({ usedAt }) => usedAt <= daysAgo(1)).map(({ key }) => key);
      for (const batch of inBatches(stale)) {
        const touch = db.updateTable("columnLineage").set({ usedAt: now() }).where("key", "in", batch);
        await touch.execute().catch(forgoUnlessSerious);
      }
      return toAnswers(rows);
    },
    /** Does the same without noting the use, so it writes nothing. */
    async peek(keys: readonly string[]): Promise<Map<string, LineageAnswer>> {
      return toAnswers(await load(keys));
    },
    /** Stores answers. If the store cannot be written now, they are dropped. */
    async save(answers: ReadonlyMap<string, LineageAnswer>): Promise<void> {
      for (const batch of inBatches([...answers])) {
        const rows = batch.map(([key, answer]) => ({ key, answer: JSON.stringify(pack(answer)), usedAt: now() }));
        // A flush would hold up the event loop after every few models.
        await withoutFlush(db, (alone) =>
          alone
            .insertInto("columnLineage")
            .values(rows)
            .onConflict((conflict) => conflict.column("key").doNothing())
            .execute(),
        ).catch(forgoUnlessSerious);
      }
    },
    /** Deletes answers that nobody has used for 30 days. */
    async removeUnused(): Promise<void> {
      await db.deleteFrom("columnLineage").where("usedAt", "<", daysAgo(UNUSED_DAYS)).execute();
    },
  };
}

/** A statement takes 32,766 parameters. Models that derive from each other in a circle are looked up all at once. */
function inBatches<T>(items: readonly T[]): Iterable<T[]> {
  return batchesOf(items, BATCH, () => 1);
}

function toAnswers(rows: readonly Row[]): Map<string, LineageAnswer> {
  // Only `save` writes the texts.
  return new Map(rows.map(({ key, answer }) => [key, unpack(JSON.parse(answer) as Packed)]));
}

/** An answer that cannot be stored is worked out again later. A store that cannot be written must not stop a crawl. */
function forgoUnlessSerious(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== "unavailable") throw error;
}

type Unresolved = Extract<LineageAnswer, { unresolved: string }>;
type Resolved = Exclude<LineageAnswer, Unresolved>;
type Column = Resolved["columns"][number];

/** An answer as it is stored. Most columns share the uses that decide the rows, so each use is stored once. */
type Packed =
  | Unresolved
  | (Omit<Resolved, "columns"> & {
      uses: ColumnParent[];
      /** The parents are positions in `uses`. */
      columns: (Omit<Column, "parents"> & { parents: number[] })[];
    });

function pack(answer: LineageAnswer): Packed {
  if ("unresolved" in answer) return answer;
  const indexes = new Map<ColumnParent, number>();
  const indexOf = (parent: ColumnParent): number => indexes.getOrInsert(parent, indexes.size);
  const toPacked = ({ parents, ...column }: Column) => ({ ...column, parents: parents.map(indexOf) });
  const columns = answer.columns.map(toPacked);
  return { ...answer, columns, uses: [...indexes.keys()] };
}

function unpack(packed: Packed): LineageAnswer {
  if ("unresolved" in packed) return packed;
  const { uses, columns, ...rest } = packed;
  const toColumn = ({ parents, ...column }: (typeof columns)[number]): Column => ({
    ...column,
    parents: parents.flatMap((index) => uses[index] ?? []),
  });
  return { ...rest, columns: columns.map(toColumn) };
}
