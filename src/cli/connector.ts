/** `tributary connector`: the connectors of a workspace. */
import { Argument, InvalidArgumentError, Option } from "commander";
import { z } from "zod";

import { AppError } from "../errors.ts";
import { type Client, type ClientOptions, withClient } from "./client.ts";
import { type CommandBody, list, sendAbout } from "./command.ts";
import { requireYes } from "./confirm.ts";
import { getConnector, type NamedConnector } from "./named-connector.ts";
import { withNamedPaths } from "./permit-paths.ts";
import { printError, printItems, printResult } from "./print.ts";

type Options = Record<string, string>;

interface SourceOptions extends ClientOptions {
  option?: Options;
  test: boolean;
}

interface TimesOptions {
  /** A cron expression; false: remove the schedule. */
  schedule?: string | false;
  timeZone?: string;
  removalShare?: number;
}

interface EditOptions extends SourceOptions, TimesOptions {
  unset?: string[];
}

const REASONS: Readonly<Record<string, string>> = {
  unknown: "nothing of this kind is kept",
  malformed: "it could not be read in full",
  cut: "its lists are too long: only their beginnings are kept",
};

const CONNECTOR = new Argument("<connector>", "its name or id");
const change = sendAbout(getConnector);
const SETTING = new Option("--option <key=value>", "a setting of its type; repeatable").argParser(collectOption);
const TIMES_OPTIONS = [
  new Option("--schedule <cron>", 'when to sync by itself, such as "0 6 * * 1-5" or "@hourly"'),
  new Option("--time-zone <name>", "the time zone of the schedule, such as Europe/Berlin; UTC if it never had one"),
  new Option("--removal-share <percent>", "how much of its assets a sync may remove without being told").argParser(
    toPercent,
  ),
];

export const connectorCommand: CommandBody = {
  reach: "catalog",
  commands: [
    {
      name: "add",
      description: "add a connector, if its source can be read, and print its id",
      arguments: [new Argument("<type>", "such as dbt; the help lists all types with their settings")],
      options: [
        ...TIMES_OPTIONS,
        new Option("--name <name>", "what to call it; assets carry this name").makeOptionMandatory(),
        SETTING,
        new Option("--no-test", "add it even if its source cannot be read now"),
      ],
      help: describeTypes,
      reach: "options",
      async run(type: string, options: SourceOptions & TimesOptions & { name: string }) {
        const { name, option = {}, test } = options;
        const input = { type, name, options: option, test, ...toTimes(options) };
        const { createConnector } = await withNamedPaths(options, option, () =>
          withClient(options, (client) => client.ask("AddConnector", { input })),
        );
        printResult(createConnector.connector.id, createConnector.connector);
      },
    },
    {
      name: "list",
      description: "list the connectors and their status",
      run: list(
        "ConnectorList",
        {
          NAME: "name",
          ID: "id",
          TYPE: "type",
          HEALTH: "health",
          "LAST SYNC": ({ lastSync: last }) => (last === null ? "never" : `${last.status}, queued ${last.queuedAt}`),
          SCHEDULE: ({ schedule }) => (schedule === null ? "none" : `${schedule.cron} (${schedule.timeZone})`),
          "NEXT SYNC": ({ schedule }) => schedule?.nextRunAt ?? "when asked to",
        },
        "No connectors. `tributary connector add` adds one.",
      ),
    },
    {
      name: "reception",
      description: "list what came to a connector and is not kept, as its last sync found it",
      arguments: [CONNECTOR],
      async run(client: Client, named: string) {
        const { id } = await getConnector(client, named);
        const answer = await client.ask("ConnectorReception", { id });
        printItems(
          answer.connector.unkept,
          {
            ENTITY: "entity",
            ASPECT: ({ aspect }) => aspect ?? "further kinds",
            COUNT: ({ count }) => String(count),
            WHY: ({ why }) => REASONS[why] ?? why,
            EXAMPLE: "example",
          },
          "Nothing to report.",
        );
      },
    },
    {
      name: "test",
      description: "test a connector's source without storing anything; the exit code is 1 for an error",
      arguments: [CONNECTOR],
      options: [
        new Option("--option <key=value>", "test with this setting instead; repeatable").argParser(collectOption),
      ],
      reach: "options",
      async run(named: string, { option = {}, ...options }: SourceOptions) {
        await withNamedPaths(options, option, () =>
          withClient(options, (client) => testConnector(client, named, option)),
        );
      },
    },
    {
      name: "edit",
      description: "set options or the schedule of a connector; all others, including secrets, stay unchanged",
      done: "The connector is changed.",
      arguments: [CONNECTOR],
      options: [
        ...TIMES_OPTIONS,
        new Option("--no-schedule", "sync only when asked to"),
        SETTING,
        new Option("--unset <key>", "remove an option; repeatable").argParser(collectKey),
        new Option("--no-test", "store them even if the source cannot be read now"),
      ],
      help: describeTypes,
      reach: "options",
      async run(named: string, { option = {}, unset = [], test, ...options }: EditOptions) {
        const changes = { ...option, ...Object.fromEntries(unset.map((key) => [key, null])) };
        const isSame = Object.keys(changes).length === 0;
        const edit = change("ChangeConnector", ({ schedule }) => {
          const what = { ...(isSame ? {} : { options: changes }), ...toTimes(options, schedule) };
          if (Object.keys(what).length > 0) return { ...what, test };
          throw new AppError("bad_request", "There is nothing to change: name an option or a schedule.");
        });
        return withNamedPaths(options, option, () => withClient(options, (client) => edit(client, named)));
      },
    },
    {
      name: "rename",
      description: "rename a connector; its assets show the new name",
      done: "The connector is renamed.",
      arguments: [CONNECTOR, new Argument("<name>", "the new name")],
      run: change("ChangeConnector", (_connector, name: string) => ({ name })),
    },
    {
      name: "disable",
      description: "disable a connector, so that it does not sync; what is queued or running is cancelled",
      done: "The connector is disabled.",
      arguments: [CONNECTOR],
      run: change("ChangeConnector", () => ({ disabled: true })),
    },
    {
      name: "enable",
      description: "enable a disabled connector",
      done: "The connector is enabled.",
      arguments: [CONNECTOR],
      run: change("ChangeConnector", () => ({ disabled: false })),
    },
    {
      name: "remove",
      description: "remove a connector, its syncs, and the assets that no other connector has",
      arguments: [CONNECTOR],
      options: [new Option("--yes", "do not ask")],
      run: removeConnector,
    },
  ],
};

/**
 * @param before the connector's schedule; the parts that are not named stay
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

async function testConnector(client: Client, named: string, options: Options): Promise<void> {
  const { id, name } = await getConnector(client, named);
  const { testConnector: found } = await client.ask("LookAtSource", { input: { id, options } });
  for (const { option, message, severity } of found.findings) printError(`${severity}: ${option}: ${message}`);
  if (!found.isReadable) throw new AppError("unavailable", `The source of ${name} cannot be read.`);
  printResult(`The source of ${name} can be read.`, found);
}

async function removeConnector(client: Client, named: string, { yes = false }: { yes?: boolean }): Promise<void> {
  const { id, name } = await getConnector(client, named);
  await requireYes(`Remove the connector ${name}, its syncs, and the assets that nobody else holds?`, yes, "remove");
  const { removeConnector: done } = await client.ask("RemoveConnector", { input: { id } });
  printResult(`Removed ${name} and ${done.removedCount} assets and metrics, columns included.`, done);
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
async function describeTypes(): Promise<string> {
  const { connectorTypes } = await import("../connectors/registry.ts");
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
