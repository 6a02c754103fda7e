/** The processes that crawl and apply received events. Each reports every few seconds that it still works. */
import { latestFrom } from "../clock.ts";
import { countRows, type StoreContext } from "./context.ts";

/** Much longer than the time between two signs of life, and than the clocks of two machines usually differ. */
const ALIVE_MS = 60_000;

export function createWorkerStore({ db, now }: StoreContext) {
  /** The times at which a worker that is alive may have been seen. A later one was noted before the clock was set back. */
  const aliveFromTo = (): [from: string, to: string] => {
    const time = new Date(now());
    return [new Date(time.getTime() - ALIVE_MS).toISOString(), latestFrom(time)];
  };
  return {
    /** Notes that the worker works, and forgets those that have been silent for long. */
    async noteAlive(id: string): Promise<void> {
      const seenAt = now();
      await db
        .insertInto("workers")
        .values({ id, seenAt })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ seenAt }))
        .execute();
      const [from, to] = aliveFromTo();
      await db
        .deleteFrom("workers")
        .where(({ eb, or }) => or([eb("seenAt", "<", from), eb("seenAt", ">", to)]))
        .execute();
    },
    /** Forgets a worker that stops. */
    async remove(id: string): Promise<void> {
      await db.deleteFrom("workers").where("id", "=", id).execute();
    },
    /** How many were alive in the last minute. */
    async countAlive(): Promise<number> {
      const [from, to] = aliveFromTo();
      return countRows(db.selectFrom("workers").where("seenAt", ">=", from).where("seenAt", "<=", to));
    },
  };
}
