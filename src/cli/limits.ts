/** `tributary limits`: the rate limit of keys and service accounts. */
import type { Command } from "commander";
import { z } from "zod";

import { MAX_RATE_LIMIT } from "../metadata/records.ts";
import { addClientOptions, type ClientOptions, withAccessClient } from "./client.ts";
import { parseCount } from "./count.ts";
import { printLine } from "./print.ts";

const settings = z.object({ securitySettings: z.object({ rateLimitPerMinute: z.int() }) });

export function addLimitsCommands(program: Command): void {
  const limits = program.command("limits").description("set and show the rate limit");

  addClientOptions(limits.command("set"))
    .description("set how many requests each key and service account may make in any 60 seconds")
    .requiredOption("--per-minute <n>", `1 to ${MAX_RATE_LIMIT}`, parseCount)
    .action(async ({ perMinute, ...options }: ClientOptions & { perMinute: number }) => {
      await withAccessClient(options, (client) => client.ask("SetRateLimit", { input: { perMinute } }, z.unknown()));
    });

  addClientOptions(limits.command("show"))
    .description("show how many requests each key and service account may make in any 60 seconds")
    .action(async (options: ClientOptions) => {
      const { securitySettings } = await withAccessClient(options, (client) =>
        client.ask("ShowSecurity", {}, settings),
      );
      printLine(String(securitySettings.rateLimitPerMinute));
    });
}
