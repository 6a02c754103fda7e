/** `tributary account`: the service accounts of a workspace and their secrets. */
import { Argument, type Command, Option } from "commander";
import { z } from "zod";

import { AppError } from "../errors.ts";
import { ROLES, type Role } from "../metadata/records.ts";
import { addClientOptions, type Client, type ClientOptions, withAccessClient } from "./client.ts";
import { confirm } from "./confirm.ts";
import { listAll } from "./list-all.ts";
import { printLine, printTable } from "./print.ts";

interface CreateOptions extends ClientOptions {
  name: string;
  role: Role;
}

const secret = z.object({ id: z.string(), lastUsedAt: z.string().nullable(), revokedAt: z.string().nullable() });
const listed = z.object({
  id: z.string(),
  name: z.string(),
  clientId: z.string(),
  role: z.string(),
  disabledAt: z.string().nullable(),
  secrets: z.array(secret),
});
const created = z.object({ createServiceAccount: z.object({ clientId: z.string(), clientSecret: z.string() }) });
const rotated = z.object({ rotateClientSecret: z.object({ clientSecret: z.string() }) });

type ListedAccount = z.output<typeof listed>;

export function addAccountCommands(program: Command): void {
  const account = program.command("account").description("create, list, change and remove service accounts");

  addClientOptions(account.command("create"))
    .description("create a service account and print its client_id and client_secret, which cannot be shown again")
    .requiredOption("--name <name>", "what to call it")
    .addOption(new Option("--role <role>", "what it may do").choices(ROLES).makeOptionMandatory())
    .action(async ({ name, role, ...options }: CreateOptions) => {
      const { createServiceAccount } = await withAccessClient(options, (client) =>
        client.ask("CreateAccount", { input: { name, role } }, created),
      );
      printCredentials(createServiceAccount.clientId, createServiceAccount.clientSecret);
    });

  addClientOptions(account.command("list"))
    .description(
      "list the accounts with their valid secrets and when each was last used, the older first; disabled accounts too",
    )
    .action(printAccounts);

  addClientOptions(account.command("revoke-secret"))
    .description("revoke one of an account's secrets immediately and permanently")
    .argument("<id>", "as the list shows it")
    .action(async (id: string, options: ClientOptions) => {
      await withAccessClient(options, (client) => client.ask("RevokeSecret", { input: { id } }, z.unknown()));
    });

  changeCommand(
    account,
    "rotate",
    "add a second secret and print it; the first stays valid until it is revoked",
  ).action(async (named: string, options: ClientOptions) => {
    await withAccessClient(options, async (client) => {
      const { id: accountId, clientId } = await getAccount(client, named);
      const { rotateClientSecret } = await client.ask("RotateSecret", { input: { accountId } }, rotated);
      printCredentials(clientId, rotateClientSecret.clientSecret);
    });
  });

  changeCommand(account, "role", "change an account's role; its tokens change immediately")
    .addArgument(new Argument("<role>", "what it may do").choices(ROLES))
    .action((named: string, role: Role, options: ClientOptions) => change(options, named, "SetAccountRole", { role }));

  changeCommand(account, "disable", "disable a service account; its tokens stop working immediately").action(
    (named: string, options: ClientOptions) => change(options, named, "SetAccountDisabled", { disabled: true }),
  );

  changeCommand(account, "enable", "enable a disabled service account").action(
    (named: string, options: ClientOptions) => change(options, named, "SetAccountDisabled", { disabled: false }),
  );

  changeCommand(account, "remove", "remove a service account with its secrets and tokens, permanently")
    .option("--yes", "do not ask")
    .action((named: string, { yes = false, ...options }: ClientOptions & { yes?: boolean }) =>
      withAccessClient(options, (client) => removeAccount(client, named, yes)),
    );
}

async function removeAccount(client: Client, named: string, yes: boolean): Promise<void> {
  const { id, name } = await getAccount(client, named);
  const question = `Remove the service account ${name}? Its secrets and tokens stop working at once.`;
  if (!yes && !(process.stdin.isTTY && (await confirm(question)))) {
    throw new AppError("bad_request", "Nothing was removed. Use --yes to remove it.");
  }
  await client.ask("RemoveAccount", { input: { id } }, z.unknown());
}

function changeCommand(account: Command, name: string, description: string): Command {
  return addClientOptions(account.command(name)).description(description).argument("<account>", "its name or id");
}

async function change(
  options: ClientOptions,
  named: string,
  operation: string,
  what: Record<string, unknown>,
): Promise<void> {
  await withAccessClient(options, async (client) => {
    const { id } = await getAccount(client, named);
    await client.ask(operation, { input: { id, ...what } }, z.unknown());
  });
}

function listAccounts(client: Client): Promise<ListedAccount[]> {
  return listAll(client, "ListAccounts", listed);
}

/** @throws AppError `not_found` */
export async function getAccount(client: Client, nameOrId: string): Promise<ListedAccount> {
  const accounts = await listAccounts(client);
  const found = accounts.find(({ id, name }) => id === nameOrId || name === nameOrId);
  if (found !== undefined) return found;
  throw new AppError("not_found", `There is no account ${nameOrId}; tributary account list shows all accounts.`);
}

function printCredentials(clientId: string, clientSecret: string): void {
  printLine(JSON.stringify({ client_id: clientId, client_secret: clientSecret }));
}

async function printAccounts(options: ClientOptions): Promise<void> {
  const accounts = await withAccessClient(options, listAccounts);
  printTable(
    ["NAME", "ID", "CLIENT ID", "ROLE", "SECRETS", "STATUS"],
    accounts.map(({ name, id, clientId, role, disabledAt, secrets }) => {
      const valid = secrets.filter(({ revokedAt }) => revokedAt === null);
      const status = disabledAt === null ? "active" : `disabled ${disabledAt}`;
      return [name, id, clientId, role, valid.map(tellSecret).join(", "), status];
    }),
  );
}

function tellSecret({ id, lastUsedAt }: z.output<typeof secret>): string {
  return `${id} (${lastUsedAt === null ? "never used" : `last used ${lastUsedAt}`})`;
}
