import { statSync } from "node:fs";
import { join } from "node:path";
import { constants } from "node:sqlite";

import { expect, it, onTestFinished } from "vitest";

import { type StoreFile, toAppError, flush, openDatabase, prepare } from "../../../src/sqlite/database.ts";
import { makeTemporaryFolder } from "../../support/metadata-store.ts";

const makeFile = async (): Promise<StoreFile> => {
  return { name: "The store", path: join(await makeTemporaryFolder(), "any.db") };
};

it("Every commit is flushed to the disk, so that an acknowledged write survives a loss of power", async () => {
  const db = openDatabase(await makeFile());
  onTestFinished(() => db.close());
  expect(db.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  // FULL is 2. Killing the process cannot show the difference, because the operating system keeps what it has received.
  expect(db.prepare("PRAGMA synchronous").get()).toEqual({ synchronous: 2 });
});

it("A trial write reaches the disk, and changes neither the length nor the content of the file", async () => {
  const file = await makeFile();
  const db = openDatabase(file);
  onTestFinished(() => db.close());
  db.exec("CREATE TABLE t (a); PRAGMA user_version = 7; PRAGMA wal_checkpoint(TRUNCATE)");
  const { size } = statSync(file.path);
  expect(statSync(`${file.path}-wal`).size).toBe(0);
  flush(db);
  expect(statSync(`${file.path}-wal`).size).toBeGreaterThan(4_000);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  expect(statSync(file.path).size).toBe(size);
  expect(db.prepare("PRAGMA user_version").get()).toEqual({ user_version: 7 });
});

it("A statement with a limit is planned once, however often it runs", () => {
  const db = openDatabase({ name: "The store", path: ":memory:" });
  onTestFinished(() => db.close());
  db.exec("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3)");
  let planned = 0;
  // SQLite asks this while it plans.
  db.setAuthorizer(() => {
    planned++;
    return constants.SQLITE_OK;
  });
  const named = prepare(db, "SELECT a FROM t WHERE a >= $from ORDER BY a LIMIT $limit");
  const numbered = prepare(db, "select a from t order by a limit ? offset ?");
  const first = planned;
  expect(first).toBeGreaterThan(0);
  const run = (limit: number): unknown[] => [...named.all({ from: 2, limit }), ...numbered.all(limit, 0)];
  expect(run(1)).toEqual([{ a: 2 }, { a: 1 }]);
  expect(run(2)).toEqual([{ a: 2 }, { a: 3 }, { a: 1 }, { a: 2 }]);
  expect(planned).toBe(first);
});

it.each([
  ["a full disk", "PRAGMA max_page_count = 2; CREATE TABLE u (a)", "cannot be written: the disk is full"],
  ["a read-only file", "PRAGMA query_only = ON; CREATE TABLE u (a)", "cannot be written: its file is read-only"],
])("The error for %s says what is wrong, and names the file only to the operator", async (_what, sql, words) => {
  const file = await makeFile();
  const db = openDatabase(file);
  onTestFinished(() => db.close());
  db.exec("CREATE TABLE t (a)");
  const attempt = (): void => {
    try {
      db.exec(sql);
    } catch (error) {
      throw toAppError(error, file);
    }
  };
  expect(attempt).toThrow(
    expect.objectContaining({ code: "unavailable", message: `The store ${words}.`, location: file.path }),
  );
});
