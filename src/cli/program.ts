/** The command line: runs commands and prints their errors. */
import { Command, CommanderError } from "commander";

import packageJson from "../../package.json" with { type: "json" };
import { CrawlFailure } from "../connectors/connector.ts";
import { AppError } from "../errors.ts";
import { escapeControls, escapeInLines } from "../plain-text.ts";
import { SettingsError } from "../settings/settings.ts";
import { addCommand, type CommandBody } from "./command.ts";
import { printError } from "./print.ts";

/** All commands, in the order of the help. What a command does is loaded only if it is asked for. */
const COMMANDS = commands({
  serve: ["run the service, as npm start does", () => import("./serve.ts")],
  worker: [
    "run syncs, follow schedules and write received events to the graph, beside servers that share a PostgreSQL",
    () => import("./serve.ts"),
  ],
  workspace: ["create and list workspaces", () => import("./workspace.ts")],
  connector: ["add, list, test, edit, rename, disable, enable and remove connectors", () => import("./connector.ts")],
  sync: [
    "sync a connector; a running server does it, or with --wait this command, which tells what came",
    () => import("./sync.ts"),
  ],
  "import-datahub": [
    "import what DataHub's ingestion wrote to files: each file gets a connector, which is synced",
    async () => ({ "import-datahubCommand": (await import("./import-datahub.ts")).importDataHubCommand }),
  ],
  search: ["find assets and metrics", () => import("./look.ts")],
  show: ["show what is known of an asset or metric, with its columns", () => import("./look.ts")],
  lineage: ["show what an asset or metric feeds, or what feeds it, the nearest first", () => import("./look.ts")],
  why: [
    "show the changes upstream that can have changed a metric, column, dashboard or table",
    () => import("./why.ts"),
  ],
  changes: ["show what changed, the newest first", () => import("./changes.ts")],
  ask: ["answer a question from the catalog", () => import("./look.ts")],
  metric: ["list and certify metrics, withdraw certifications and show their history", () => import("./metric.ts")],
  asset: ["edit assets", () => import("./asset.ts")],
  impact: ["show what a new dbt manifest, or one change of one asset, would break", () => import("./impact.ts")],
  key: ["create, list, rename and revoke API keys", () => import("./key.ts")],
  account: ["create, list, change and remove service accounts", () => import("./account.ts")],
  notice: ["tell a webhook, Slack or Teams what happens", () => import("./notice.ts")],
  person: ["invite, list and change the people of a workspace", () => import("./person.ts")],
  token: ["list access tokens, revoke tokens and limit their lifetime", () => import("./token.ts")],
  limits: ["set and show the rate limit", () => import("./security-settings.ts")],
  allowlist: ["set and show the networks that tokens are accepted from", () => import("./security-settings.ts")],
  audit: ["show the newest security events, the newest first", () => import("./audit.ts")],
  backup: ["copy the data folder into a new folder, also while a server uses it", () => import("./backup.ts")],
  restore: ["put a backup into the data folder, which must be empty", () => import("./backup.ts")],
  export: [
    "write a workspace to a file, from which other stores can make it again; packed if it ends with .gz",
    () => import("./transfer.ts"),
  ],
  import: [
    "make a workspace from a file that tributary export wrote; the stores must have none of its name",
    () => import("./transfer.ts"),
  ],
  mcp: [
    "serve the Model Context Protocol on standard input and output, until the input ends",
    () => import("./mcp.ts"),
  ],
  completion: [
    "print a script by which bash, zsh or fish completes commands and options",
    async () => {
      const { completionCommand } = await import("./completion.ts");
      return { completionCommand: completionCommand(createProgram) };
    },
  ],
});

type Load<Name extends string> = () => Promise<Readonly<Record<`${Name}Command`, CommandBody>>>;

/** @param rows what each command does, and the module that has it, such as `searchCommand` */
function commands<Name extends string>(rows: { [Each in Name]: [description: string, load: Load<Each>] }) {
  return Object.entries<[description: string, load: Load<string>]>(rows);
}

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
  for (const [name, [description, load]] of COMMANDS) {
    const body = args === undefined || args.includes(name) ? (await load())[`${name}Command`] : {};
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
