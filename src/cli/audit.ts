/** `tributary audit`: the security events, and how long they are kept. */
import { type Command, Option } from "commander";
import { z } from "zod";

import { AppError } from "../errors.ts";
import { addClientOptions, type Client, type ClientOptions, withAccessClient } from "./client.ts";
import { confirm } from "./confirm.ts";
import { parseCount } from "./count.ts";
import { listAll, PAGE_SIZE } from "./list-all.ts";
import { printError, printLine, printTable } from "./print.ts";

const DEFAULT_EVENTS = 50;

const event = z.object({
  at: z.string(),
  action: z.string(),
  actor: z.string().nullable(),
  source: z.string(),
  subject: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
});

const retention = z.object({ auditRetention: z.object({ days: z.int().nullable() }) });
const forecast = z.object({
  auditForecast: z.object({ before: z.string(), events: z.int(), hasMore: z.boolean(), oldest: z.string().nullable() }),
});

export function addAuditCommands(program: Command): void {
  const audit = addClientOptions(program.command("audit"))
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

  addClientOptions(audit.command("retention"))
    .description("show or set for how many days security events are kept")
    .argument("[days]", "7 to 3650; none to keep them for ever", (text) => (text === "none" ? null : parseCount(text)))
    .option("--yes", "do not ask for confirmation")
    .action(async (days: number | null | undefined, { yes = false, ...options }: ClientOptions & { yes?: boolean }) => {
      await withAccessClient(options, (client) =>
        days === undefined ? printRetention(client) : setRetention(client, days, yes),
      );
    });
}

async function printRetention(client: Client): Promise<void> {
  const { auditRetention } = await client.ask("ShowAuditRetention", {}, retention);
  printLine(String(auditRetention.days ?? "none"));
}

async function setRetention(client: Client, days: number | null, yes: boolean): Promise<void> {
  if (days !== null) {
    const { auditForecast } = await client.ask("ForecastAudit", { days }, forecast);
    await requireMeant(auditForecast, yes);
  }
  await client.ask("SetAuditRetention", { input: { days } }, z.unknown());
}

/** @throws AppError `bad_request` if events would be deleted and nobody confirms it */
async function requireMeant(
  { before, events, hasMore, oldest }: z.output<typeof forecast>["auditForecast"],
  yes: boolean,
): Promise<void> {
  if (events === 0) return;
  const amount = `${hasMore ? "at least " : ""}${events} security event${events === 1 ? "" : "s"}`;
  printError(
    `This soon deletes ${amount} from before ${before.slice(0, 10)}, the oldest of ${(oldest ?? before).slice(0, 10)}.`,
  );
  if (yes || (process.stdin.isTTY && (await confirm("Set it?")))) return;
  throw new AppError("bad_request", "Nothing was changed. Use --yes to change it.");
}
