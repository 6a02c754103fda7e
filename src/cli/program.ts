/** The command line: runs commands and prints their errors. */
import { Command, CommanderError } from "commander";

import packageJson from "../../package.json" with { type: "json" };
import { CrawlFailure } from "../connectors/connector.ts";
import { AppError } from "../errors.ts";
import { escapeControls, escapeInLines } from "../plain-text.ts";
import { SettingsError } from "../settings/settings.ts";
import { addCommand, type TopCommand } from "./command.ts";
import { printError } from "./print.ts";

/** All commands, in the order of the help. What a command does is loaded only if it is asked for. */
const COMMANDS: readonly TopCommand[] = [
  {
    name: "serve",
    description: "run the service, as npm start does",
    load: async () => (await import("./serve.ts")).serveCommand,
  },
  {
    name: "worker",
    description:
      "run syncs, follow schedules and write received events to the graph, beside servers that share a PostgreSQL",
    load: async () => (await import("./serve.ts")).workerCommand,
  },
  {
    name: "workspace",
    description: "create and list workspaces",
    load: async () => (await import("./workspace.ts")).workspaceCommands,
  },
  {
    name: "connector",
    description: "add, list, test, edit, rename, disable, enable and remove connectors",
    load: async () => (await import("./connector.ts")).connectorCommands,
  },
  {
    name: "sync",
    description: "sync a connector; a running server does it, or with --wait this command, which tells what came",
    load: async () => (await import("./sync.ts")).syncCommands,
  },
  {
    name: "import-datahub",
    description: "import what DataHub's ingestion wrote to files: each file gets a connector, which is synced",
    load: async () => (await import("./import-datahub.ts")).importDataHubCommand,
  },
  {
    name: "search",
    description: "find assets and metrics",
    load: async () => (await import("./look.ts")).searchCommand,
  },
  {
    name: "show",
    description: "show what is known of an asset or metric, with its columns",
    load: async () => (await import("./look.ts")).showCommand,
  },
  {
    name: "lineage",
    description: "show what an asset or metric feeds, or what feeds it, the nearest first",
    load: async () => (await import("./look.ts")).lineageCommand,
  },
  {
    name: "why",
    description: "show the changes upstream that can have changed a metric, column, dashboard or table",
    load: async () => (await import("./why.ts")).whyCommand,
  },
  {
    name: "changes",
    description: "show what changed, the newest first",
    load: async () => (await import("./changes.ts")).changesCommand,
  },
  {
    name: "ask",
    description: "answer a question from the catalog",
    load: async () => (await import("./look.ts")).askCommand,
  },
  {
    name: "metric",
    description: "list and certify metrics, withdraw certifications and show their history",
    load: async () => (await import("./metric.ts")).metricCommands,
  },
  { name: "asset", description: "edit assets", load: async () => (await import("./asset.ts")).assetCommands },
  {
    name: "impact",
    description: "show what a new dbt manifest, or one change of one asset, would break",
    load: async () => (await import("./impact.ts")).impactCommand,
  },
  {
    name: "key",
    description: "create, list, rename and revoke API keys",
    load: async () => (await import("./key.ts")).keyCommands,
  },
  {
    name: "account",
    description: "create, list, change and remove service accounts",
    load: async () => (await import("./account.ts")).accountCommands,
  },
  {
    name: "notice",
    description: "tell a webhook, Slack or Teams what happens",
    load: async () => (await import("./notice.ts")).noticeCommands,
  },
  {
    name: "person",
    description: "invite, list and change the people of a workspace",
    load: async () => (await import("./person.ts")).personCommands,
  },
  {
    name: "token",
    description: "list access tokens, revoke tokens and limit their lifetime",
    load: async () => (await import("./token.ts")).tokenCommands,
  },
  {
    name: "limits",
    description: "set and show the rate limit",
    load: async () => (await import("./security-settings.ts")).limitsCommands,
  },
  {
    name: "allowlist",
    description: "set and show the networks that tokens are accepted from",
    load: async () => (await import("./security-settings.ts")).allowlistCommands,
  },
  {
    name: "audit",
    description: "show the newest security events, the newest first",
    load: async () => (await import("./audit.ts")).auditCommands,
  },
  {
    name: "backup",
    description: "copy the data folder into a new folder, also while a server uses it",
    load: async () => (await import("./backup.ts")).backupCommand,
  },
  {
    name: "restore",
    description: "put a backup into the data folder, which must be empty",
    load: async () => (await import("./backup.ts")).restoreCommand,
  },
  {
    name: "export",
    description: "write a workspace to a file, from which other stores can make it again; packed if it ends with .gz",
    load: async () => (await import("./transfer.ts")).exportCommand,
  },
  {
    name: "import",
    description: "make a workspace from a file that tributary export wrote; the stores must have none of its name",
    load: async () => (await import("./transfer.ts")).importCommand,
  },
  {
    name: "mcp",
    description: "serve the Model Context Protocol on standard input and output, until the input ends",
    load: async () => (await import("./mcp.ts")).mcpCommand,
  },
  {
    name: "completion",
    description: "print a script by which bash, zsh or fish completes commands and options",
    load: async () => (await import("./completion.ts")).completionCommand(createProgram),
  },
];

const FAILED = 1;
const MISUSED = 2;

/**
 * Runs one command. Results go to standard output, everything else to standard error.
 * @returns the exit code: 0 for success, 1 if the command failed, 2 if the command or a setting is wrong
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  try {
    await (await createProgram(args)).parseAsync(args, { from: "user" });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // Commander has already printed the error or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED;
    printError(tell(error));
    const misused = error instanceof SettingsError || (error instanceof AppError && error.code === "bad_request");
    return misused ? MISUSED : FAILED;
  }
}

/**
 * Creates the program.
 * @param args loads only the commands that are among them. Default: all.
 */
export async function createProgram(args?: readonly string[]): Promise<Command> {
  const program = new Command("tributary")
    .description(
      "A self-hosted metadata catalog and lineage service.\nSettings come from the environment; .env.example lists them.",
    )
    .version(packageJson.version)
    .exitOverride()
    // So that an option after the name of a command is that command's, not its group's.
    .enablePositionalOptions()
    // Commander's messages repeat arguments as they were typed, with control characters.
    .configureOutput({
      writeOut: (text) => process.stdout.write(escapeInLines(text)),
      writeErr: (text) => process.stderr.write(escapeInLines(text)),
    })
    .showSuggestionAfterError();
  for (const { name, description, load } of COMMANDS) {
    const body = args === undefined || args.includes(name) ? await load() : {};
    await addCommand(program, { name, description, ...body }, { isHelpAsked: isHelpAsked(args ?? []) });
  }
  return program;
}

function isHelpAsked(args: readonly string[]): boolean {
  return args.some((arg) => ["help", "--help", "-h"].includes(arg));
}

/** The text of an error. Our own errors are one line. Any other error is a bug, and is printed with its stack. */
function tell(error: unknown): string {
  if (error instanceof SettingsError)
    return ["The settings are wrong:", ...error.lines.map(escapeControls)].join("\n  ");
  if (error instanceof AppError) return withLocation(error);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Adds the file to the message: only the operator runs commands, and may see paths. */
function withLocation({ message, cause, location: file }: AppError): string {
  const location = cause instanceof CrawlFailure ? cause.error.location : file;
  return escapeControls(location === undefined ? message : `${message} (${location})`);
}
