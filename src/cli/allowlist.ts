/** `tributary allowlist`: from where tokens are taken. */
import type { Command } from "commander";

import { setAllowlist } from "../auth/security-settings.ts";
import { printLine } from "./print.ts";
import { changeWorkspace, inWorkspace, type WorkspaceOption, workspaceOption } from "./session.ts";

export function addAllowlistCommands(program: Command): void {
  const allowlist = program.command("allowlist").description("set and show the networks that tokens are accepted from");

  allowlist
    .command("set")
    .description("accept tokens from these networks only, or from anywhere if you name none")
    .argument("[cidr...]", "such as 10.0.0.0/8 or 2001:db8::/32")
    .addOption(workspaceOption())
    .action(async (cidrs: string[], options: WorkspaceOption) => {
      await changeWorkspace(options, (session, origin) => setAllowlist(session, origin, cidrs));
    });

  allowlist
    .command("show")
    .description("list these networks, one a line; prints nothing if tokens are accepted from anywhere")
    .addOption(workspaceOption())
    .action(async (options: WorkspaceOption) => {
      const settings = await inWorkspace(options, ({ store }, { id }) => store.security.get(id));
      for (const cidr of settings.allowlist) printLine(cidr);
    });
}
