/** Prints a table of all commands from the program itself, so it is always complete. */
import type { Argument, Command, Option } from "commander";

/** Options of many commands. The page explains them below the table. */
const SHARED = new Set(["--workspace", "--server", "--token", "--allow-http", "--json"]);

/** A Markdown table with one row for each command, in the order of the help. */
export function printCommands(program: Command): string {
  const rows = program.commands.flatMap((command) => rowsOf(command, []));
  return ["| command | what it does |", "|---|---|", ...rows].join("\n");
}

function rowsOf(command: Command, parents: readonly string[]): string[] {
  const names = [...parents, command.name()];
  const rows = command.commands.flatMap((each) => rowsOf(each, names));
  // `sync` and `audit` are commands and have subcommands. Other commands with subcommands do nothing themselves.
  if (rows.length > 0 && command.registeredArguments.length + command.options.length === 0) return rows;
  const options = command.options.filter(({ long }) => !SHARED.has(long ?? ""));
  const usage = [...names, ...command.registeredArguments.map(writeArgument), ...options.map(writeOption)].join(" ");
  return [`| \`${escapePipes(usage)}\` | ${escapePipes(command.description())} |`, ...rows];
}

function writeArgument(argument: Argument): string {
  const value = `${writeChoices(argument.argChoices) ?? argument.name()}${argument.variadic ? "…" : ""}`;
  return argument.required ? `<${value}>` : `[${value}]`;
}

function writeOption({ flags, long, argChoices, mandatory, required, variadic }: Option): string {
  const [, name = ""] = /<([^>.]+)/.exec(flags) ?? [];
  const value = required ? ` <${writeChoices(argChoices) ?? name}>` : "";
  const option = `${long ?? flags}${value}`;
  if (mandatory) return option;
  return `[${option}]${variadic ? "…" : ""}`;
}

function writeChoices(choices: readonly string[] | undefined): string | undefined {
  return choices?.join("|");
}

function escapePipes(text: string): string {
  return text.replaceAll("|", "\\|");
}
