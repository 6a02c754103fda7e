/** `tributary audit`: the trail of security events. */
import { type Command, Option } from "commander";

import { parseCount } from "./count.ts";
import { printTable } from "./print.ts";
import { inWorkspace, type WorkspaceOption, workspaceOption } from "./session.ts";

const DEFAULT_EVENTS = 50;

interface AuditOptions extends WorkspaceOption {
  limit: number;
}

export function addAuditCommand(program: Command): void {
  program
    .command("audit")
    .description("show the newest security events, the newest first")
    .addOption(new Option("--limit <n>", "how many").argParser(parseCount).default(DEFAULT_EVENTS))
    .addOption(workspaceOption())
    .action(async ({ limit, ...options }: AuditOptions) => {
      const { items } = await inWorkspace(options, ({ store }, { id }) => store.audit.list(id, { after: null, limit }));
      printTable(
        ["AT", "ACTION", "ACTOR", "SOURCE", "SUBJECT", "DETAILS"],
        items.map(({ at, action, actor, source, subject, details }) => [
          at,
          action,
          actor,
          source,
          subject,
          JSON.stringify(details),
        ]),
      );
    });
}
