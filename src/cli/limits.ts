/** `tributary limits`: how much each key and service account may ask. */
import type { Command } from "commander";

import { setRateLimit } from "../auth/security-settings.ts";
import { MAX_RATE_LIMIT } from "../metadata/records.ts";
import { parseCount } from "./count.ts";
import { printLine } from "./print.ts";
import { changeWorkspace, inWorkspace, type WorkspaceOption, workspaceOption } from "./session.ts";

export function addLimitsCommands(program: Command): void {
  const limits = program.command("limits").description("set and show the rate limit");

  limits
    .command("set")
    .description("set how many requests each key and service account has in any 60 seconds")
    .requiredOption("--per-minute <n>", `1 to ${MAX_RATE_LIMIT}`, parseCount)
    .addOption(workspaceOption())
    .action(async ({ perMinute, ...options }: WorkspaceOption & { perMinute: number }) => {
      await changeWorkspace(options, (session, origin) => setRateLimit(session, origin, perMinute));
    });

  limits
    .command("show")
    .description("show how many requests each key and service account has in any 60 seconds")
    .addOption(workspaceOption())
    .action(async (options: WorkspaceOption) => {
      const { rateLimitPerMinute } = await inWorkspace(options, ({ store }, { id }) => store.security.get(id));
      printLine(String(rateLimitPerMinute));
    });
}
