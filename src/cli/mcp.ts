/** `tributary mcp`: the Model Context Protocol on stdio, for clients that start their servers themselves. */
import type { Command } from "commander";

import { createLog } from "../log.ts";
import { readSettings } from "../settings.ts";
import { addClientOptions, type ClientOptions, withClient } from "./client.ts";
import { watchForStop } from "./stop-signal.ts";

export function addMcpCommand(program: Command): void {
  addClientOptions(program.command("mcp"))
    .description("serve the Model Context Protocol on standard input and output, until the input ends")
    .action(serveMcp);
}

async function serveMcp(options: ClientOptions): Promise<void> {
  const log = createLog(readSettings().logLevel);
  const report = (err: unknown): void => log.error({ err }, "unexpected error in the Model Context Protocol");
  const stop = watchForStop();
  await withClient(options, async (client) => {
    // Loaded only here, because the other commands do not need it.
    const { serveOnStdio } = await import("../mcp/stdio.ts");
    await serveOnStdio({ ask: client.ask, nextTurn: async () => {}, report }, stop.asked);
  });
}
