/** `tributary export` and `tributary import`: a workspace moves to other stores. */
import { mkdtempDisposable } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { Argument, Option } from "commander";

import { systemClock, systemRandom } from "../clock.ts";
import { backUp } from "../data-folder/backup.ts";
import { openDataFolder } from "../data-folder/folder.ts";
import { isServerRunning } from "../data-folder/server-lock.ts";
import type { CopyableGraph } from "../graph/graph-copy.ts";
import { createLog } from "../telemetry/log.ts";
import type { SecretsLeft } from "../metadata/copy.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { DEFAULT_WORKSPACE } from "./start/workspace.ts";
import { isEmbedded, type DataFolderKeys, openGraph, openDataFolderKeys, openMetadata } from "../stores.ts";
import { exportWorkspace } from "../transfer/export-workspace.ts";
import { importWorkspace } from "../transfer/import-workspace.ts";
import { createUsage } from "../work/usage.ts";
import type { CommandBody } from "./command.ts";
import { printError, printItems } from "./print.ts";

interface Stores {
  metadata: MetadataStore;
  graph: CopyableGraph;
}

export const exportCommand: CommandBody = {
  arguments: [new Argument("<file>", "a file that does not exist yet")],
  options: [new Option("--workspace <name>", "the workspace").default(DEFAULT_WORKSPACE)],
  async run(file: string, { workspace }: { workspace: string }) {
    const settings = readSettings();
    const keep = openDataFolderKeys(settings, systemRandom, false);
    const { rows, left } = await withStillStores(settings, keep, file, (stores) =>
      exportWorkspace(stores, workspace, resolve(file), systemClock.now()),
    );
    printRows(rows);
    printSecrets(left);
  },
};

export const importCommand: CommandBody = {
  arguments: [new Argument("<file>", "the file")],
  async run(file: string) {
    const settings = readSettings();
    const keep = openDataFolderKeys(settings, systemRandom);
    const { workspace, rows, refused, left } = await withStores(settings, keep, (stores) =>
      importWorkspace(stores, resolve(file)),
    );
    printRows(rows);
    if (refused > 0) printError(`${refused} edges and references were left out, because an end of theirs is missing.`);
    printSecrets(left);
    printError(`The workspace ${workspace} is there. npx tributary serve prints the link for its first admin.`);
  },
};

/** A server writes to its stores while they are read. So embedded ones are copied first, as they are at one moment. */
async function withStillStores<T>(
  settings: Settings,
  keep: DataFolderKeys,
  beside: string,
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  const isWritten = isServerRunning(keep.folder);
  if (!isEmbedded(settings)) {
    printError("Let nothing sync and nobody edit until the export has ended: these stores are read as they change.");
    return withStores(settings, keep, work);
  }
  if (!isWritten) return withStores(settings, keep, work);
  await using aside = await mkdtempDisposable(join(dirname(resolve(beside)), "export-"));
  const copy = join(aside.path, "data");
  const names = ["metadata.sqlite", "graph.sqlite"] as const;
  await backUp(keep.folder, copy, { names, now: systemClock.now() });
  return await withStores(settings, { ...keep, folder: openDataFolder(copy) }, work);
}

async function withStores<T>(
  settings: Settings,
  keep: DataFolderKeys,
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  const parts = { log: createLog(settings.logLevel), waits: false };
  await using opened = new AsyncDisposableStack();
  const { metadata, connected: metadataConnected } = await openMetadata(settings, keep, {
    ...parts,
    clock: systemClock,
    random: systemRandom,
  });
  opened.defer(() => metadata.close());
  const { graph } = await openGraph(settings, keep, { ...parts, usage: createUsage(), metadata, metadataConnected });
  opened.defer(() => graph.close());
  // Awaited here, because the stores are closed at the end of this function.
  return await work({ metadata, graph });
}

function printRows(rows: Readonly<Record<string, number>>): void {
  const parts = Object.entries(rows).map(([part, amount]) => ({ part, rows: amount }));
  printItems(parts, { PART: "part", ROWS: "rows" }, "There was nothing to copy.");
}

/** What has to be set again by hand. */
function printSecrets({ passwords, invitations, keys, accounts, options, rules, mails }: SecretsLeft): void {
  const lists = [
    ["Passwords: people need a new link to log in", passwords],
    ["Invitations: invite these people again", invitations],
    ["API keys: make new ones", keys],
    ["Secrets of service accounts: rotate them", accounts],
    ["Secret options of connectors: set them again", options],
    ["Addresses of notice rules: give them again, make new secrets, and switch the rules on", rules],
    ["Notice rules by mail: switch them on", mails],
  ] as const;
  for (const [what, names] of lists) if (names.length > 0) printError(`${what}: ${names.join(", ")}`);
}
