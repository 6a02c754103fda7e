/** `tributary workspace`: the workspaces of this deployment. */
import type { Command } from "commander";

import { establishWorkspace } from "../start/workspace.ts";
import { printLine, printTable } from "./print.ts";
import { withSession } from "./session.ts";

export function addWorkspaceCommands(program: Command): void {
  const workspace = program.command("workspace").description("create and list workspaces");

  workspace
    .command("create")
    .description("create a workspace and print its id")
    .argument("<name>", "a-z, 0-9, _ and -")
    .option("--sandbox", "for trying things out: it takes test keys only")
    .action(async (name: string, { sandbox = false }: { sandbox?: boolean }) => {
      const kind = sandbox ? "sandbox" : "live";
      const { id } = await withSession(({ store }) => establishWorkspace(store, name, kind), true);
      printLine(id);
    });

  workspace
    .command("list")
    .description("list all workspaces")
    .action(async () => {
      const workspaces = await withSession(({ store }) => store.workspaces.list());
      printTable(
        ["NAME", "ID", "KIND", "CREATED"],
        workspaces.map(({ name, id, kind, createdAt }) => [name, id, kind, createdAt]),
      );
    });
}
