/** `tributary workspace`: the workspaces of this deployment. */
import { Argument, Option } from "commander";

import { establishWorkspace } from "./start/workspace.ts";
import type { CommandBody } from "./command.ts";
import { printItems, printResult } from "./print.ts";
import { withSession } from "./session.ts";

export const workspaceCommand: CommandBody = {
  commands: [
    {
      name: "create",
      description: "create a workspace and print its id",
      arguments: [new Argument("<name>", "a-z, 0-9, _ and -")],
      options: [new Option("--sandbox", "for trying things out: it takes test keys only")],
      async run(name: string, { sandbox = false }: { sandbox?: boolean }) {
        const kind = sandbox ? "sandbox" : "live";
        const made = await withSession(({ store }) => establishWorkspace(store, name, kind), true);
        printResult(made.id, made);
      },
    },
    {
      name: "list",
      description: "list all workspaces",
      async run() {
        const workspaces = await withSession(({ store }) => store.workspaces.list());
        printItems(
          workspaces,
          { NAME: "name", ID: "id", KIND: "kind", CREATED: "createdAt" },
          "No workspaces. `tributary serve` makes one at its first start.",
        );
      },
    },
  ],
};
