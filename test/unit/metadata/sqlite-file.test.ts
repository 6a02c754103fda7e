import { readFile, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";

import { Kysely, sql } from "kysely";
import { describe, expect, it } from "vitest";

import { systemRandom } from "../../../src/clock.ts";
import { openSqliteEngine } from "../../../src/metadata/sqlite.ts";
import { type MetadataStore, openMetadataStore } from "../../../src/metadata/store.ts";
import { createTestClock } from "../../support/clock.ts";
import { makeTemporaryFolder, TEST_SECRET_KEY } from "../../support/metadata-store.ts";

function open(path: string): Promise<MetadataStore> {
  const url = { kind: "sqlite", path } as const;
  return openMetadataStore({ url, secretKey: TEST_SECRET_KEY, clock: createTestClock(), random: systemRandom });
}

function change(path: string, statements: string): void {
  const db = new DatabaseSync(path);
  db.exec(statements);
  db.close();
}

const level = async (db: Kysely<unknown>) => (await sql<{ synchronous: number }>`PRAGMA synchronous`.execute(db)).rows;

it("Nothing waits for the disk while a cache is written, and everything does after that, even if it failed", async () => {
  const engine = openSqliteEngine(join(await makeTemporaryFolder(), "metadata.sqlite"));
  await using db = new Kysely<unknown>({ dialect: engine.dialect });
  expect(await engine.withoutFlush(db, level)).toEqual([{ synchronous: 1 }]);
  expect(await level(db)).toEqual([{ synchronous: 2 }]);
  await expect(engine.withoutFlush(db, () => Promise.reject(new Error("full")))).rejects.toThrow("full");
  expect(await level(db)).toEqual([{ synchronous: 2 }]);
});

describe("Opening the file of an embedded metadata store", () => {
  it("A file of another application is refused as metadata store", async () => {
    const path = join(await makeTemporaryFolder(), "other.db");
    change(path, "CREATE TABLE notes (text TEXT)");
    await expect(open(path)).rejects.toMatchObject({
      code: "unavailable",
      message:
        "The metadata store belongs to another application, or to an older version of Tributary whose files are no longer read.",
      location: path,
    });
  });

  it("A metadata file that a newer version wrote is refused", async () => {
    const path = join(await makeTemporaryFolder(), "metadata.db");
    await (await open(path)).close();
    change(path, "INSERT INTO migrations VALUES ('9999_later', '2030-01-01T00:00:00.000Z')");
    await expect(open(path)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("newer version of Tributary"),
    });
  });

  it("A file that is not a database is refused as metadata store", async () => {
    const path = join(await makeTemporaryFolder(), "metadata.db");
    await writeFile(path, "not a database, but long enough to be looked at as if it were one ".repeat(100));
    await expect(open(path)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("damaged"),
    });
  });

  it("A metadata file with damaged pages is refused", async () => {
    const path = join(await makeTemporaryFolder(), "metadata.db");
    const store = await open(path);
    for (let i = 0; i < 50; i++) await store.workspaces.create({ name: `workspace-${i}`, kind: "live" });
    await store.close();
    change(path, "PRAGMA journal_mode = DELETE");
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(0x5a, 4_096, 12_288));
    await expect(open(path)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("damaged"),
    });
  });

  it("Opening a metadata file reports that its folder does not exist", async () => {
    const path = join(await makeTemporaryFolder(), "nowhere", "metadata.db");
    await expect(open(path)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("cannot be opened"),
    });
  });
});
