/** Commands as rows: what each is called, takes, and does. */
import { type Argument, type Command, InvalidArgumentError, type Option } from "commander";

import { addClientOptions, type Client, type ClientOptions, withClient } from "./client.ts";
import { listAll } from "./list-all.ts";
import type { Item, ListOperation, Operation } from "./operations.ts";
import { answerJson, type Columns, printItems, printResult } from "./print.ts";

/**
 * How a command reaches the catalog. `catalog` and `access` open a client; `access` also works if a graph store on
 * another machine is down. With `options`, the command takes the options of a client, and opens what it needs.
 */
type Reach = "catalog" | "access" | "options";

export interface CommandRow {
  name: string;
  description: string;
  arguments?: readonly Argument[];
  options?: readonly Option[];
  /** The text after the help. It is made only if the help is asked for. */
  help?: () => string | Promise<string>;
  /** Default: that of its group. If the group has none either, the command takes no options of a client. */
  reach?: Reach;
  /** What a command prints when it has changed something. As JSON, it prints what `run` answers. */
  done?: string | ((answer: never) => string);
  /** Whether the command takes `--json`. Default: yes. */
  json?: false;
  /** Gets the client if one is opened, then the arguments, then the options. Absent if the row is only a group. */
  run?: (...given: never[]) => Promise<unknown>;
  commands?: readonly CommandRow[];
}

/** What a command of the first level does. Its name and description stand in the program. */
export type CommandBody = Omit<CommandRow, "name" | "description">;

interface Asked {
  isHelpAsked: boolean;
  groupReach?: Reach | undefined;
}

export async function addCommand(parent: Command, row: CommandRow, { isHelpAsked, groupReach }: Asked): Promise<void> {
  const { name, description, arguments: taken = [], options = [], help, reach = groupReach, run, commands = [] } = row;
  const command = parent.command(name).description(description);
  if (run !== undefined) {
    // So that an option after the name of a subcommand is the subcommand's.
    if (commands.length > 0) command.enablePositionalOptions();
    if (reach !== undefined) addClientOptions(command);
    for (const argument of taken) command.addArgument(argument);
    for (const option of options) command.addOption(option);
    if (row.json ?? true) command.option("--json", "print the result as JSON, for programs");
    if (help !== undefined && isHelpAsked) command.addHelpText("after", await help());
    command.action(async (...given: unknown[]) => {
      const answer = await runRow(run, reach, given);
      const { done } = row;
      if (done !== undefined) printResult(typeof done === "string" ? done : done(answer as never), answer ?? {});
    });
  }
  for (const each of commands) await addCommand(command, each, { isHelpAsked, groupReach: reach });
}

async function runRow(
  run: NonNullable<CommandRow["run"]>,
  reach: Reach | undefined,
  given: unknown[],
): Promise<unknown> {
  // Commander has checked the arguments and options by the row, and adds the command itself at the end.
  const taken = given.slice(0, -1) as never[];
  answerJson((taken.at(-1) as { json?: boolean } | undefined)?.json ?? false);
  if (reach === undefined || reach === "options") return run(...taken);
  const options = (taken.at(-1) ?? {}) as ClientOptions;
  return withClient(options, (client) => run(client as never, ...taken), reach === "access");
}

/** Makes a `run` that sends an operation with an input, and answers its payload. */
export function send<Given extends unknown[]>(
  operation: Operation,
  toInput: (client: Client, ...given: Given) => object | Promise<object>,
) {
  return async (client: Client, ...given: Given): Promise<unknown> => {
    const data = await client.ask(operation, { input: await toInput(client, ...given) });
    return Object.values(data)[0];
  };
}

/**
 * Makes a `send` for commands whose first argument names what they change.
 * @param find finds it
 * @param key the name of its id in inputs
 */
export function sendAbout<Found extends { id: string }>(
  find: (client: Client, named: string) => Promise<Found>,
  key = "id",
) {
  return <Given extends unknown[]>(operation: Operation, toInput: (found: Found, ...given: Given) => unknown) =>
    send(operation, async (client, named: string, ...given: Given) => {
      const found = await find(client, named);
      return Object.assign({ [key]: found.id }, await toInput(found, ...given));
    });
}

/** Makes a `run` that prints a whole list as a table, or `none` if it is empty. */
export function list<Name extends ListOperation>(operation: Name, columns: Columns<Item<Name>>, none: string) {
  return async (client: Client): Promise<void> => printItems(await listAll(client, operation), columns, none);
}

/** @throws InvalidArgumentError if it is not a whole number of at least 1 */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It must be a whole number of at least 1.");
  return Number(text);
}
