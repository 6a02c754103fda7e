import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { openDatabase } from "../../../src/sqlite/database.ts";
import { makeTemporaryFolder } from "../../support/metadata-store.ts";

it("flushes every commit to the disk, so that an acknowledged write survives the loss of power", async () => {
  const db = openDatabase(join(await makeTemporaryFolder(), "any.db"));
  onTestFinished(() => db.close());
  expect(db.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  // FULL is 2. A kill cannot show the difference: what the system has taken outlives the process.
  expect(db.prepare("PRAGMA synchronous").get()).toEqual({ synchronous: 2 });
});
