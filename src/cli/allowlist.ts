/** `tributary allowlist`: the networks from which tokens are accepted. */
import type { Command } from "commander";
import { z } from "zod";

import { addClientOptions, type ClientOptions, withAccessClient } from "./client.ts";
import { printLine } from "./print.ts";

const settings = z.object({ securitySettings: z.object({ allowlist: z.array(z.string()) }) });

export function addAllowlistCommands(program: Command): void {
  const allowlist = program.command("allowlist").description("set and show the networks that tokens are accepted from");

  addClientOptions(allowlist.command("set"))
    .description("accept tokens from these networks only, or from anywhere if you name none")
    .argument("[cidr...]", "such as 10.0.0.0/8 or 2001:db8::/32")
    .action(async (cidrs: string[], options: ClientOptions) => {
      await withAccessClient(options, (client) => client.ask("SetAllowlist", { input: { cidrs } }, z.unknown()));
    });

  addClientOptions(allowlist.command("show"))
    .description("list these networks, one a line; prints nothing if tokens are accepted from anywhere")
    .action(async (options: ClientOptions) => {
      const { securitySettings } = await withAccessClient(options, (client) =>
        client.ask("ShowSecurity", {}, settings),
      );
      for (const cidr of securitySettings.allowlist) printLine(cidr);
    });
}
