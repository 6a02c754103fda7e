/** `tributary backup` and `tributary restore`: copies of the data folder. */
import { existsSync } from "node:fs";

import { Argument } from "commander";

import { systemClock } from "../clock.ts";
import { backUp, type Contents, restore } from "../data-folder/backup.ts";
import { openDataFolder } from "../data-folder/folder.ts";
import { AppError } from "../errors.ts";
import { readSettings } from "../settings/settings.ts";
import { isShared } from "../stores.ts";
import type { CommandBody } from "./command.ts";
import { printError, printItems } from "./print.ts";

export const backupCommand: CommandBody = {
  arguments: [new Argument("<folder>", "a folder that does not exist yet")],
  async run(target: string) {
    const settings = readSettings();
    const folder = openDataFolder(settings.dataDir, false);
    const isGraphHere = settings.graphUrl === "sqlite:";
    const isKeyHere = settings.secretKey === null && existsSync(folder.secretKey);
    const isMetadataHere = !isShared(settings);
    if (!isMetadataHere && !isGraphHere) {
      throw new AppError(
        "bad_request",
        "Both stores are elsewhere (METADATA_URL, GRAPH_URL): back them up with their own means, the metadata first.",
      );
    }
    const names = [
      ...(isMetadataHere ? (["metadata.sqlite"] as const) : []),
      ...(isGraphHere ? (["graph.sqlite"] as const) : []),
      ...(isKeyHere ? (["secret.key"] as const) : []),
    ];
    printContents(await backUp(folder, target, { names, now: systemClock.now() }));
    if (!isMetadataHere) {
      printError(
        "The metadata is in PostgreSQL (METADATA_URL): back it up with pg_dump, and the data folder after that, as now.",
      );
    }
    if (!isGraphHere) printError("The graph is in another store (GRAPH_URL): back it up with that store's own means.");
    printError(
      isKeyHere
        ? "Keep the backup as secret as the data folder: it contains the key to the connectors' secrets."
        : "The secret key is not in the backup, because SECRET_KEY sets it: keep that key as well.",
    );
  },
};

export const restoreCommand: CommandBody = {
  arguments: [new Argument("<folder>", "a folder that tributary backup wrote")],
  async run(source: string) {
    const settings = readSettings();
    const folder = openDataFolder(settings.dataDir);
    const contents = await restore(source, folder);
    printContents(contents);
    const hasKey = contents.files.some(({ name }) => name === "secret.key");
    if (!hasKey) printError("The backup has no secret key: start with SECRET_KEY set to the one of that time.");
  },
};

function printContents({ files, createdAt }: Contents): void {
  printItems(files, { FILE: "name", BYTES: "bytes", "SHA-256": "sha256" }, "The backup has no files.");
  printError(`As it was at ${createdAt}.`);
}
