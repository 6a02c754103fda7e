/** `tributary mcp`: the Model Context Protocol on stdio, for clients that start their servers themselves. */
import type { McpContext } from "../mcp/server.ts";
import { createLog } from "../telemetry/log.ts";
import { readSettings } from "../settings/settings.ts";
import { type ClientOptions, withClient } from "./client.ts";
import type { CommandBody } from "./command.ts";
import { watchForStop } from "./stop-signal.ts";

export const mcpCommand: CommandBody = {
  reach: "options",
  json: false,
  run: serveMcp,
};

async function serveMcp(options: ClientOptions): Promise<void> {
  const log = createLog(readSettings().logLevel);
  const report = (err: unknown): void => log.error({ err }, "unexpected error in the Model Context Protocol");
  const stop = watchForStop();
  await withClient(options, async (client) => {
    // Loaded only here, because the other commands do not need it.
    const { serveOnStdio } = await import("../mcp/stdio.ts");
    const ask: McpContext["ask"] = async (operation, variables) => (await client.find(operation, variables)) as never;
    await serveOnStdio({ ask, nextTurn: async () => {}, report }, stop.asked);
  });
}
