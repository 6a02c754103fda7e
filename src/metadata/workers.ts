/** The processes that crawl and settle what was received. Each says every few seconds that it still works. */
import type { StoreContext } from "./context.ts";

/** Much longer than the time between two signs of life, and than the clocks of two machines usually differ. */
const ALIVE_MS = 60_000;

export interface WorkerStore {
  /** Notes that the worker works, and forgets those that have been silent for long. */
  noteAlive(id: string): Promise<void>;
  /** Forgets a worker that stops. */
  remove(id: string): Promise<void>;
  /** How many were alive in the last minute. */
  countAlive(): Promise<number>;
}

export function createWorkerStore({ db, now }: StoreContext): WorkerStore {
  const aliveSince = (): string => new Date(Date.parse(now()) - ALIVE_MS).toISOString();
  return {
    async noteAlive(id) {
      const seenAt = now();
      await db
        .insertInto("workers")
        .values({ id, seenAt })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ seenAt }))
        .execute();
      await db.deleteFrom("workers").where("seenAt", "<", aliveSince()).execute();
    },
    async remove(id) {
      await db.deleteFrom("workers").where("id", "=", id).execute();
    },
    async countAlive() {
      const counted = db
        .selectFrom("workers")
        .where("seenAt", ">=", aliveSince())
        .select(({ fn }) => fn.countAll().as("amount"));
      return Number((await counted.executeTakeFirstOrThrow()).amount);
    },
  };
}
