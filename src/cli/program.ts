/** The command line: runs commands and prints their errors. */
import { Command, CommanderError } from "commander";

import packageJson from "../../package.json" with { type: "json" };
import { CrawlFailure } from "../connectors/connector.ts";
import { AppError } from "../errors.ts";
import { escapeControls, escapeInLines } from "../plain-text.ts";
import { SettingsError } from "../settings.ts";
import { addAccountCommands } from "./account.ts";
import { addAllowlistCommands } from "./allowlist.ts";
import { addAssetCommands } from "./asset.ts";
import { addAuditCommands } from "./audit.ts";
import { addBackupCommands } from "./backup.ts";
import { addConnectorCommands } from "./connector.ts";
import { addImpactCommand } from "./impact.ts";
import { addKeyCommands } from "./key.ts";
import { addLimitsCommands } from "./limits.ts";
import { addMcpCommand } from "./mcp.ts";
import { addMetricCommands } from "./metric.ts";
import { addPersonCommands } from "./person.ts";
import { printError } from "./print.ts";
import { addServeCommand } from "./serve.ts";
import { addSyncCommand } from "./sync.ts";
import { addTokenCommands } from "./token.ts";
import { addTransferCommands } from "./transfer.ts";
import { addWorkerCommand } from "./worker.ts";
import { addWorkspaceCommands } from "./workspace.ts";

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
    // Commander's messages repeat arguments as they were typed, with control characters.
    .configureOutput({
      writeOut: (text) => process.stdout.write(escapeInLines(text)),
      writeErr: (text) => process.stderr.write(escapeInLines(text)),
    })
    .showSuggestionAfterError();
  const groups = [
    addServeCommand,
    addWorkerCommand,
    addWorkspaceCommands,
    addConnectorCommands,
    addSyncCommand,
    addMetricCommands,
    addAssetCommands,
    addImpactCommand,
    addKeyCommands,
    addAccountCommands,
    addPersonCommands,
    addTokenCommands,
    addLimitsCommands,
    addAllowlistCommands,
    addAuditCommands,
    addBackupCommands,
    addTransferCommands,
    addMcpCommand,
  ];
  for (const addTo of groups) addTo(program);
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
