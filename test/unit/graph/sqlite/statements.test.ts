import { expect, it, onTestFinished } from "vitest";

import { createStatements, snapshot } from "../../../../src/graph/sqlite/statements.ts";
import { openDatabase } from "../../../../src/sqlite/database.ts";
import { CalledOff } from "../../../../src/work/task.ts";

it("No statement runs after the caller has left, and no transaction stays open", () => {
  const db = openDatabase({ name: "graph store", path: ":memory:" });
  onTestFinished(() => db.close());
  let isGone = false;
  const sql = createStatements(db, () => isGone);
  const read = (): unknown =>
    snapshot(db, () => {
      const before = sql.get("SELECT 1 AS one", {});
      isGone = true;
      return [before, sql.integers("SELECT 1 AS one", {})];
    });
  expect(read).toThrow(CalledOff);
  expect(db.isTransaction).toBe(false);
  for (const run of [sql.all, sql.get, sql.integers, sql.run]) expect(() => run("SELECT 1", {})).toThrow(CalledOff);
});
