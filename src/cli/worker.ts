/** `tributary worker`: works for servers that share a metadata store, until a signal stops it. */
import type { Command } from "commander";

import packageJson from "../../package.json" with { type: "json" };
import { createLog } from "../log.ts";
import { readSettings } from "../settings.ts";
import { printLine } from "./print.ts";
import { runUntilStopped } from "./run-until-stopped.ts";

export function addWorkerCommand(program: Command): void {
  program
    .command("worker")
    .description(
      "crawl, follow schedules and write received events to the graph, beside servers that share a PostgreSQL",
    )
    .action(work);
}

async function work(): Promise<void> {
  const settings = readSettings();
  const log = createLog(settings.logLevel);
  await runUntilStopped(
    { name: "worker", log },
    async () => {
      // Loaded only here, because other commands start faster without it.
      const { createWorker } = await import("../worker.ts");
      return createWorker(settings, log);
    },
    async (worker) => {
      await worker.start();
      printLine(`Tributary ${packageJson.version} works`);
    },
  );
}
