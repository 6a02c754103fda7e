/** `tributary import-datahub`: imports files that DataHub's ingestion wrote with its sink `file`. */
import { basename } from "node:path";

import { Argument, Option } from "commander";

import { AppError } from "../errors.ts";
import { type Client, type ClientOptions, withClient } from "./client.ts";
import type { CommandBody } from "./command.ts";
import { getConnector } from "./named-connector.ts";
import { withNamedPaths } from "./permit-paths.ts";
import { startSync } from "./sync.ts";

interface ImportOptions extends ClientOptions {
  name?: string;
}

export const importDataHubCommand: CommandBody = {
  arguments: [new Argument("<file...>", "each a file, a folder of files or a URL")],
  options: [
    new Option("--name <name>", "what to call the connector of the only file; by default it has the file's name"),
  ],
  reach: "options",
  async run(files: string[], { name, ...options }: ImportOptions) {
    if (name !== undefined && files.length > 1) {
      throw new AppError(
        "bad_request",
        "--name is for one file: leave it out, and each connector has the name of its file.",
      );
    }
    for (const location of files) {
      const called = name ?? basename(location).replace(/\.json$/, "");
      await withNamedPaths(options, { location }, () =>
        withClient(options, (client) => importFile(client, called, location)),
      );
    }
  },
};

/** Each file has a connector of its own, so that a newer version of the file replaces what the older one said. */
async function importFile(client: Client, name: string, location: string): Promise<void> {
  const known = await getConnector(client, name).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not_found") return null;
    throw error;
  });
  if (known !== null && known.type !== TYPE) {
    throw new AppError("conflict", `The connector ${name} is of type ${known.type}: choose another name with --name.`);
  }
  const id = known === null ? await add(client, name, location) : await change(client, known.id, location);
  const exitCode = await startSync(client, id, { mode: "full", force: true, wait: true });
  if (exitCode !== 0) process.exitCode = exitCode;
}

async function add(client: Client, name: string, location: string): Promise<string> {
  const input = { type: TYPE, name, options: { location }, test: true };
  return (await client.ask("AddConnector", { input })).createConnector.connector.id;
}

async function change(client: Client, id: string, location: string): Promise<string> {
  await client.ask("ChangeConnector", { input: { id, options: { location }, test: true } });
  return id;
}

const TYPE = "datahub-file";
