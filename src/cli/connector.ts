/** `tributary connector`: the connectors of a workspace. */
import { type Command, InvalidArgumentError } from "commander";
import { z } from "zod";

import { connectorTypes } from "../connectors/registry.ts";
import { AppError } from "../errors.ts";
import { addClientOptions, type Client, type ClientOptions, withClient } from "./client.ts";
import { confirm } from "./confirm.ts";
import { getConnector, listConnectors, type NamedConnector } from "./named-connector.ts";
import { permitNamedPaths } from "./permit-paths.ts";
import { printError, printLine, printTable } from "./print.ts";

type Options = Record<string, string>;

interface SourceOptions extends ClientOptions {
  option?: Options;
  test: boolean;
}

interface TimesOptions {
  /** A cron expression; false: none any more. */
  schedule?: string | false;
  timeZone?: string;
  removalShare?: number;
}

interface EditOptions extends SourceOptions, TimesOptions {
  unset?: string[];
}

const added = z.object({ createConnector: z.object({ connector: z.object({ id: z.string() }) }) });
const changed = z.object({ updateConnector: z.object({ connector: z.object({ id: z.string() }) }) });
const removal = z.object({ removeConnector: z.object({ removedCount: z.int() }) });
const look = z.object({
  testConnector: z.object({
    isReadable: z.boolean(),
    findings: z.array(z.object({ option: z.string(), message: z.string(), severity: z.string() })),
  }),
});

export function addConnectorCommands(program: Command): void {
  const connector = program
    .command("connector")
    .description("add, list, test, edit, rename, disable, enable and remove connectors");

  addTimesOptions(addClientOptions(connector.command("add")))
    .description("add a connector, if its source can be read, and print its id")
    .argument("<type>", connectorTypes.map(({ type }) => type).join(", "))
    .requiredOption("--name <name>", "what to call it; assets carry this name")
    .option("--option <key=value>", "a setting of its type; repeatable", collectOption)
    .option("--no-test", "add it even if its source cannot be read now")
    .addHelpText("after", describeTypes)
    .action(async (type: string, options: SourceOptions & TimesOptions & { name: string }) => {
      const { name, option = {}, test } = options;
      const input = { type, name, options: option, test, ...toTimes(options) };
      permitNamedPaths(options, option);
      const { createConnector } = await withClient(options, (client) => client.ask("AddConnector", { input }, added));
      printLine(createConnector.connector.id);
    });

  addClientOptions(connector.command("list"))
    .description("list the connectors and their status")
    .action(printConnectors);

  connectorCommand(
    connector,
    "test",
    "test a connector's source without storing anything; the exit code is 1 for an error",
  )
    .option("--option <key=value>", "test with this setting instead; repeatable", collectOption)
    .action(async (named: string, { option = {}, ...options }: SourceOptions) => {
      permitNamedPaths(options, option);
      await withClient(options, (client) => testConnector(client, named, option));
    });

  addTimesOptions(
    connectorCommand(
      connector,
      "edit",
      "set options or the schedule of a connector; all others, including secrets, stay unchanged",
    ),
  )
    .option("--no-schedule", "crawl only when asked to")
    .option("--option <key=value>", "a setting of its type; repeatable", collectOption)
    .option("--unset <key>", "remove an option; repeatable", collectKey)
    .option("--no-test", "store them even if the source cannot be read now")
    .addHelpText("after", describeTypes)
    .action(async (named: string, { option = {}, unset = [], test, ...options }: EditOptions) => {
      const gone = Object.fromEntries(unset.map((key) => [key, null]));
      const changes = { ...option, ...gone };
      const isSame = Object.keys(changes).length === 0;
      permitNamedPaths(options, option);
      await change(options, named, ({ schedule }) => {
        const what = { ...(isSame ? {} : { options: changes }), ...toTimes(options, schedule) };
        if (Object.keys(what).length > 0) return { ...what, test };
        throw new AppError("bad_request", "There is nothing to change: name an option or a schedule.");
      });
    });

  connectorCommand(connector, "rename", "rename a connector; its assets show the new name")
    .argument("<name>", "the new name")
    .action((named: string, name: string, options: ClientOptions) => change(options, named, () => ({ name })));

  connectorCommand(
    connector,
    "disable",
    "let a connector crawl no more; what is queued or running is cancelled",
  ).action((named: string, options: ClientOptions) => change(options, named, () => ({ disabled: true })));

  connectorCommand(connector, "enable", "enable a disabled connector").action((named: string, options: ClientOptions) =>
    change(options, named, () => ({ disabled: false })),
  );

  connectorCommand(connector, "remove", "remove a connector, its syncs, and the assets that no other connector has")
    .option("--yes", "do not ask")
    .action(async (named: string, { yes = false, ...options }: ClientOptions & { yes?: boolean }) => {
      await withClient(options, (client) => removeConnector(client, named, yes));
    });
}

function addTimesOptions(command: Command): Command {
  return command
    .option("--schedule <cron>", 'when to crawl by itself, such as "0 6 * * 1-5" or "@hourly"')
    .option("--time-zone <name>", "the time zone of the schedule, such as Europe/Berlin; UTC if it never had one")
    .option("--removal-share <percent>", "how much of its assets a crawl may remove without being told", toPercent);
}

/**
 * @param before the schedule that the connector has; what is not named of it stays
 * @throws AppError `bad_request` if a time zone has no schedule
 */
function toTimes(
  { schedule, timeZone, removalShare }: TimesOptions,
  before: NamedConnector["schedule"] = null,
): Record<string, unknown> {
  const share = removalShare === undefined ? {} : { removalShare };
  const cron = schedule ?? (timeZone === undefined ? undefined : before?.cron);
  if (timeZone !== undefined && typeof cron !== "string") {
    throw new AppError("bad_request", "--time-zone needs a schedule: give --schedule too.");
  }
  if (cron === undefined) return share;
  if (cron === false) return { ...share, schedule: null };
  return { ...share, schedule: { cron, timeZone: timeZone ?? before?.timeZone ?? "UTC" } };
}

function toPercent(text: string): number {
  const percent = Number(text);
  if (text.trim() !== "" && Number.isInteger(percent) && percent >= 0 && percent <= 100) return percent;
  throw new InvalidArgumentError("It must be a whole number from 0 to 100.");
}

function connectorCommand(connector: Command, name: string, description: string): Command {
  return addClientOptions(connector.command(name)).description(description).argument("<connector>", "its name or id");
}

async function change(
  options: ClientOptions,
  named: string,
  toInput: (connector: NamedConnector) => Record<string, unknown>,
): Promise<void> {
  await withClient(options, async (client) => {
    const connector = await getConnector(client, named);
    await client.ask("ChangeConnector", { input: { id: connector.id, ...toInput(connector) } }, changed);
  });
}

async function testConnector(client: Client, named: string, options: Options): Promise<void> {
  const { id, name } = await getConnector(client, named);
  const { testConnector: found } = await client.ask("LookAtSource", { input: { id, options } }, look);
  for (const { option, message, severity } of found.findings) printError(`${severity}: ${option}: ${message}`);
  if (!found.isReadable) throw new AppError("unavailable", `The source of ${name} cannot be read.`);
  printLine(`The source of ${name} can be read.`);
}

async function removeConnector(client: Client, named: string, yes: boolean): Promise<void> {
  const { id, name } = await getConnector(client, named);
  const question = `Remove the connector ${name}, its syncs, and the assets that nobody else holds?`;
  if (!yes && !(process.stdin.isTTY && (await confirm(question)))) {
    throw new AppError("bad_request", "Nothing was removed. Use --yes to remove it.");
  }
  const { removeConnector: done } = await client.ask("RemoveConnector", { input: { id } }, removal);
  printLine(`Removed ${name} and ${done.removedCount} assets and metrics, columns included.`);
}

async function printConnectors(options: ClientOptions): Promise<void> {
  const connectors = await withClient(options, listConnectors);
  printTable(
    ["NAME", "ID", "TYPE", "HEALTH", "LAST SYNC", "SCHEDULE", "NEXT SYNC"],
    connectors.map(({ name, id, type, health, lastSync, schedule }) => {
      const last = lastSync === null ? "never" : `${lastSync.status}, queued ${lastSync.queuedAt}`;
      const times = schedule === null ? "none" : `${schedule.cron} (${schedule.timeZone})`;
      return [name, id, type, health, last, times, schedule?.nextRunAt ?? "when asked to"];
    }),
  );
}

/** Collects `key=value` arguments. */
function collectOption(text: string, gathered: Options = {}): Options {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new InvalidArgumentError("It must be key=value.");
  if (Object.hasOwn(gathered, key)) throw new InvalidArgumentError(`${key} is given twice.`);
  return { ...gathered, [key]: value };
}

function collectKey(key: string, gathered: string[] = []): string[] {
  return [...gathered, key];
}

/** The types and their options, for the help. */
function describeTypes(): string {
  const types = connectorTypes.map(({ type, description, options }) => {
    const { properties = {} } = z.toJSONSchema(options, { io: "input", unrepresentable: "any" });
    return { type, description, properties: Object.entries(properties) };
  });
  const width = Math.max(...types.flatMap(({ properties }) => properties.map(([key]) => key.length)));
  return types
    .map(({ type, description, properties }) => {
      const lines = properties.map(([key, value]) => {
        const about = typeof value === "object" ? value.description : undefined;
        return `  ${key.padEnd(width)}  ${about ?? ""}`;
      });
      return [`\nOptions of ${type}: ${description}`, ...lines].join("\n");
    })
    .join("\n");
}
