/** `tributary limits` and `tributary allowlist`: the rate limit, and the networks from which tokens are accepted. */
import { Argument, Option } from "commander";

import { MAX_RATE_LIMIT } from "../metadata/records.ts";
import type { Client } from "./client.ts";
import { type CommandBody, parseCount, send } from "./command.ts";
import { printLines, printResult } from "./print.ts";

export const limitsCommand: CommandBody = {
  reach: "access",
  commands: [
    {
      name: "set",
      done: "The limit is set.",
      description: "set how many requests each key and service account may make in any 60 seconds",
      options: [new Option("--per-minute <n>", `1 to ${MAX_RATE_LIMIT}`).argParser(parseCount).makeOptionMandatory()],
      run: send("SetRateLimit", (_client, { perMinute }: { perMinute: number }) => ({ perMinute })),
    },
    {
      name: "show",
      description: "show how many requests each key and service account may make in any 60 seconds",
      async run(client: Client) {
        const { securitySettings } = await client.ask("ShowSecurity", {});
        printResult(String(securitySettings.rateLimitPerMinute), securitySettings);
      },
    },
  ],
};

export const allowlistCommand: CommandBody = {
  reach: "access",
  commands: [
    {
      name: "set",
      done: "The networks are set.",
      description: "accept tokens from these networks only, or from anywhere if you name none",
      arguments: [new Argument("[cidr...]", "such as 10.0.0.0/8 or 2001:db8::/32")],
      run: send("SetAllowlist", (_client, cidrs: string[]) => ({ cidrs })),
    },
    {
      name: "show",
      description: "list these networks, one a line",
      async run(client: Client) {
        const { securitySettings } = await client.ask("ShowSecurity", {});
        printLines(
          securitySettings.allowlist,
          "No networks: tokens are accepted from anywhere. `tributary allowlist set` names some.",
        );
      },
    },
  ],
};
