import { Argument, Command, Option } from "commander";
import { expect, it } from "vitest";

import { printCommands } from "../../../src/cli/command-table.ts";
import { createProgram } from "../../../src/cli/program.ts";

it("The command table has one row a command, with its arguments, options and choices", () => {
  const program = new Command("tributary");
  program
    .command("paint")
    .description("paint it")
    .argument("<wall>")
    .argument("[coats...]")
    .requiredOption("-n, --name <name>", "what to call it")
    .addOption(new Option("--colour <colour>", "which").choices(["red", "blue"]))
    .option("--tag <tag...>", "some words")
    .option("-w, --workspace <name>", "where")
    .option("--dry", "do nothing");
  program
    .command("brush")
    .command("wash")
    .description("wash a | b")
    .addArgument(new Argument("<how>").choices(["hot", "cold"]));
  program.command("dry").description("let it dry").argument("<hours>").command("stop").description("stop that");
  expect(printCommands(program).split("\n").slice(2)).toEqual([
    "| `paint <wall> [coats…] --name <name> [--colour <red\\|blue>] [--tag <tag>]… [--dry]` | paint it |",
    "| `brush wash <hot\\|cold>` | wash a \\| b |",
    "| `dry <hours>` | let it dry |",
    "| `dry stop` | stop that |",
  ]);
});

it("The command table contains every command of the program", async () => {
  const program = await createProgram();
  const table = printCommands(program);
  const names = program.commands.map((command) => command.name());
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !new RegExp(`^\\| \`${name}[ \`]`, "m").test(table))).toEqual([]);
});
