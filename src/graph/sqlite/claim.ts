/** Whose graph it is: two services with different metadata stores would write to the same nodes. */
import { transact } from "../../sqlite/database.ts";
import type { Statements } from "./statements.ts";

/**
 * Notes which metadata store the graph belongs to, if it belongs to none yet.
 * @param owner the id of the metadata store
 * @returns the id of the one that it belongs to
 */
export function claim({ db }: Pick<Statements, "db">, owner: string): string {
  return transact(db, () => {
    db.prepare("INSERT INTO owner (id) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM owner)").run(owner);
    return String(db.prepare("SELECT id FROM owner").get()?.["id"]);
  });
}
