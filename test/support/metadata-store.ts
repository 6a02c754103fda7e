/** A metadata store in a temporary folder that goes when the test ends, with a workspace to work in. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { onTestFinished } from "vitest";

import { systemRandom } from "../../src/clock.ts";
import type { Connector, User, Workspace } from "../../src/metadata/records.ts";
import { type MetadataStore, openMetadataStore } from "../../src/metadata/store.ts";
import { createTestClock, type TestClock } from "./clock.ts";

export const TEST_SECRET_KEY = Buffer.alloc(32, "secret");

export interface TestMetadata {
  path: string;
  clock: TestClock;
  store: MetadataStore;
  workspace: Workspace;
  admin: User;
  /** Opens the same file once more, as another process would. */
  openAgain: (secretKey?: Buffer) => Promise<MetadataStore>;
  addConnector: (name: string, options?: Record<string, string>) => Promise<Connector>;
}

/**
 * A folder that is removed when the test ends.
 * @param atEnd the test's own hook, which tests that run side by side must hand over
 */
export async function makeTemporaryFolder(atEnd: typeof onTestFinished = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tributary-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function openTestMetadata(): Promise<TestMetadata> {
  const path = join(await makeTemporaryFolder(), "metadata.db");
  const clock = createTestClock();
  const openAgain = async (secretKey: Buffer = TEST_SECRET_KEY): Promise<MetadataStore> => {
    const opened = await openMetadataStore({ url: { kind: "sqlite", path }, secretKey, clock, random: systemRandom });
    onTestFinished(() => opened.close());
    return opened;
  };
  const store = await openAgain();
  const workspace = await store.workspaces.create({ name: "default", kind: "live" });
  const admin = await store.users.create({ workspaceId: workspace.id, email: "admin@example.com", role: "admin" });
  return {
    path,
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
