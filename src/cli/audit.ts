/** `tributary audit`: the security events. */
import { type Command, Option } from "commander";
import { z } from "zod";

import { addClientOptions, type ClientOptions, withAccessClient } from "./client.ts";
import { parseCount } from "./count.ts";
import { listAll, PAGE_SIZE } from "./list-all.ts";
import { printTable } from "./print.ts";

const DEFAULT_EVENTS = 50;

const event = z.object({
  at: z.string(),
  action: z.string(),
  actor: z.string().nullable(),
  source: z.string(),
  subject: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
});

export function addAuditCommand(program: Command): void {
  addClientOptions(program.command("audit"))
    .description("show the newest security events, the newest first")
    .addOption(new Option("--limit <n>", "how many").argParser(parseCount).default(DEFAULT_EVENTS))
    .action(async ({ limit, ...options }: ClientOptions & { limit: number }) => {
      const variables = { first: Math.min(limit, PAGE_SIZE) };
      const events = await withAccessClient(options, (client) =>
        listAll(client, "ListAuditEvents", event, { variables, limit }),
      );
      printTable(
        ["AT", "ACTION", "ACTOR", "SOURCE", "SUBJECT", "DETAILS"],
        events.map(({ at, action, actor, source, subject, details }) => [
          at,
          action,
          actor ?? "",
          source,
          subject ?? "",
          JSON.stringify(details),
        ]),
      );
    });
}
