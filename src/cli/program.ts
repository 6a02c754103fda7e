/** The command line: runs commands and prints their errors. */
import { Command, CommanderError } from "commander";

import packageJson from "../../package.json" with { type: "json" };
import { CrawlFailure } from "../connectors/connector.ts";
import { AppError } from "../errors.ts";
import { escapeControls, escapeInLines } from "../plain-text.ts";
import { SettingsError } from "../settings/settings.ts";
import { accountCommands } from "./account.ts";
import { assetCommands } from "./asset.ts";
import { auditCommands } from "./audit.ts";
import { backupCommand, restoreCommand } from "./backup.ts";
import { addCommand, type CommandRow } from "./command.ts";
import { connectorCommands } from "./connector.ts";
import { impactCommand } from "./impact.ts";
import { keyCommands } from "./key.ts";
import { mcpCommand } from "./mcp.ts";
import { metricCommands } from "./metric.ts";
import { personCommands } from "./person.ts";
import { printError } from "./print.ts";
import { allowlistCommands, limitsCommands } from "./security-settings.ts";
import { serveCommand, workerCommand } from "./serve.ts";
import { syncCommands } from "./sync.ts";
import { tokenCommands } from "./token.ts";
import { exportCommand, importCommand } from "./transfer.ts";
import { workspaceCommands } from "./workspace.ts";

/** All commands, in the order of the help. */
const COMMANDS: readonly CommandRow[] = [
  serveCommand,
  workerCommand,
  workspaceCommands,
  connectorCommands,
  syncCommands,
  metricCommands,
  assetCommands,
  impactCommand,
  keyCommands,
  accountCommands,
  personCommands,
  tokenCommands,
  limitsCommands,
  allowlistCommands,
  auditCommands,
  backupCommand,
  restoreCommand,
  exportCommand,
  importCommand,
  mcpCommand,
];

const FAILED = 1;
const MISUSED = 2;

/**
 * Runs one command. Results go to standard output, everything else to standard error.
 * @returns the exit code: 0 for success, 1 if the command failed, 2 if the command or a setting is wrong
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(args, { from: "user" });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // Commander has already printed the error or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED;
    printError(tell(error));
    const misused = error instanceof SettingsError || (error instanceof AppError && error.code === "bad_request");
    return misused ? MISUSED : FAILED;
  }
}

/** Creates the program with all commands. */
export function createProgram(): Command {
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
  for (const row of COMMANDS) addCommand(program, row);
  return program;
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
