/** A metadata store that is removed when the test ends, with a workspace. */
import { rmSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";

import { onTestFinished } from "vitest";

import { systemRandom } from "../../src/clock.ts";
import type { Connector, User, Workspace } from "../../src/metadata/records.ts";
import { type MetadataStore, type MetadataStoreOptions, openMetadataStore } from "../../src/metadata/store.ts";
import { createTestClock, type TestClock } from "./clock.ts";

export const TEST_SECRET_KEY = Buffer.alloc(32, "secret");

/** An empty database for one test. */
export interface TestDatabase {
  url: MetadataStoreOptions["url"];
  /** Runs one statement on it directly, and returns the rows. */
  runSql: (statement: string) => Promise<Record<string, unknown>[]>;
}

export interface TestMetadata extends TestDatabase {
  clock: TestClock;
  store: MetadataStore;
  workspace: Workspace;
  admin: User;
  /** Opens the same store once more, as another process would. */
  openAgain: (secretKey?: Buffer) => Promise<MetadataStore>;
  addConnector: (name: string, options?: Record<string, string>) => Promise<Connector>;
}

/**
 * A folder that is removed when the test ends.
 * @param atEnd the test's own hook, which concurrent tests must pass
 */
export async function makeTemporaryFolder(atEnd: typeof onTestFinished = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tributary-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

let migratedFile: Promise<string> | null = null;

/**
 * An empty store, which is migrated once in this process. Tests copy it, which takes a third of the time of a new one.
 */
function getMigratedFile(): Promise<string> {
  return (migratedFile ??= makeMigratedFile());
}

async function makeMigratedFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tributary-migrated-"));
  process.once("exit", () => rmSync(folder, { recursive: true }));
  const path = join(folder, "metadata.db");
  const url = { kind: "sqlite", path } as const;
  const store = await openMetadataStore({
    url,
    secretKey: TEST_SECRET_KEY,
    clock: createTestClock(),
    random: systemRandom,
  });
  await store.close();
  return path;
}

/** A file in a new folder. */
async function makeTestFile(): Promise<TestDatabase & { path: string }> {
  const path = join(await makeTemporaryFolder(), "metadata.db");
  await copyFile(await getMigratedFile(), path);
  return {
    path,
    url: { kind: "sqlite", path },
    runSql(statement) {
      const database = new DatabaseSync(path);
      const rows = database.prepare(statement).all();
      database.close();
      return Promise.resolve(rows);
    },
  };
}

/** The file of an embedded store. */
export function pathOf(url: TestDatabase["url"]): string {
  if (url.kind === "sqlite") return url.path;
  throw new Error("only an embedded store is a file");
}

let makeDatabase: () => Promise<TestDatabase> = makeTestFile;

/** From now on, tests open their stores there. A call without an argument undoes it. */
export function openStoresAt(make: () => Promise<TestDatabase> = makeTestFile): void {
  makeDatabase = make;
}

export async function openTestMetadata(): Promise<TestMetadata> {
  const database = await makeDatabase();
  const clock = createTestClock();
  const openAgain = async (secretKey: Buffer = TEST_SECRET_KEY): Promise<MetadataStore> => {
    const opened = await openMetadataStore({ url: database.url, secretKey, clock, random: systemRandom });
    onTestFinished(() => opened.close());
    return opened;
  };
  const store = await openAgain();
  const workspace = await store.workspaces.create({ name: "default", kind: "live" });
  const admin = await store.users.create({ workspaceId: workspace.id, email: "admin@example.com", role: "admin" });
  return {
    ...database,
    clock,
    store,
    workspace,
    admin,
    openAgain,
    addConnector: async (name, options = {}) => {
      const connector = { workspaceId: workspace.id, type: "scripted", name, options, secretOptions: ["password"] };
      const { id } = await store.connectors.create(connector);
      // Small crawls remove large shares.
      return store.connectors.setRemovalShare(workspace.id, id, 100);
    },
  };
}
