/** `tributary audit`: the security events, and how long they are kept. */
import { Argument, Option } from "commander";

import type { Client } from "./client.ts";
import { type CommandBody, parseCount } from "./command.ts";
import { requireYes } from "./confirm.ts";
import { listAll, PAGE_SIZE } from "./list-all.ts";
import { printError, printItems, printResult } from "./print.ts";

const DEFAULT_EVENTS = 50;

export const auditCommand: CommandBody = {
  reach: "access",
  options: [new Option("--limit <n>", "how many").argParser(parseCount).default(DEFAULT_EVENTS)],
  async run(client: Client, { limit }: { limit: number }) {
    const variables = { first: Math.min(limit, PAGE_SIZE) };
    printItems(
      await listAll(client, "ListAuditEvents", { variables, limit }),
      {
        AT: "at",
        ACTION: "action",
        // Not by name: people choose their names, also one like another person's or like the operator's.
        ACTOR: "actor",
        SOURCE: "source",
        SUBJECT: ({ subject, subjectName }) => subjectName ?? subject,
        DETAILS: ({ details }) => JSON.stringify(details),
      },
      "No events. Logins and changes of access are noted from now on.",
    );
  },
  commands: [
    {
      name: "retention",
      description: "show or set for how many days security events are kept",
      arguments: [
        new Argument("[days]", "7 to 3650; none to keep them for ever").argParser((text) =>
          text === "none" ? null : parseCount(text),
        ),
      ],
      options: [new Option("--yes", "do not ask for confirmation")],
      async run(client: Client, days: number | null | undefined, { yes = false }: { yes?: boolean }) {
        if (days === undefined) {
          const { auditRetention } = await client.ask("ShowAuditRetention", {});
          printResult(String(auditRetention.days ?? "none"), auditRetention);
          return;
        }
        if (days !== null) await confirmRetention(client, days, yes);
        await client.ask("SetAuditRetention", { input: { days } });
        printResult("The retention is set.", { days });
      },
    },
  ],
};

/** @throws AppError `bad_request` if events would be deleted and nobody confirms it */
async function confirmRetention(client: Client, days: number, yes: boolean): Promise<void> {
  const { auditForecast } = await client.ask("ForecastAudit", { days });
  const { before, events, hasMore, oldest } = auditForecast;
  if (events === 0) return;
  const amount = `${hasMore ? "at least " : ""}${events} security event${events === 1 ? "" : "s"}`;
  printError(
    `This soon deletes ${amount} from before ${before.slice(0, 10)}, the oldest of ${(oldest ?? before).slice(0, 10)}.`,
  );
  await requireYes("Set it?", yes, "change");
}
