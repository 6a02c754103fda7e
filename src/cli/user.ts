/** `tributary user`: the users of a workspace. */
import { Argument, type Command, Option } from "commander";
import { z } from "zod";

import { type Permission, PERMISSIONS, ROLES, type Role } from "../metadata/records.ts";
import { addClientOptions, type Client, type ClientOptions, withAccessClient } from "./client.ts";
import { pickUser } from "./find.ts";
import { listAll } from "./list-all.ts";
import { printLine, printTable } from "./print.ts";

interface CreateOptions extends ClientOptions {
  email: string;
  role: Role;
}

const listed = z.object({
  id: z.string(),
  email: z.string(),
  role: z.string(),
  grants: z.array(z.string()),
  createdAt: z.string(),
  disabledAt: z.string().nullable(),
});
const created = z.object({ createUser: z.object({ user: z.object({ id: z.string() }) }) });

/** GraphQL's names of permissions, which cannot contain a colon. */
const toEnum = (permission: Permission): string => permission.replace(":", "_");
const fromEnum = (name: string): string => PERMISSIONS.find((permission) => toEnum(permission) === name) ?? name;

const permissionArgument = (): Argument =>
  new Argument(
    "<permission>",
    "api:manage lets the user make, list and revoke keys, metrics:certify certify metrics",
  ).choices(PERMISSIONS);

export function addUserCommands(program: Command): void {
  const user = program.command("user").description("create, list and change users");

  addClientOptions(user.command("create"))
    .description("add a user and print the id")
    .requiredOption("--email <email>", "who it is")
    .addOption(new Option("--role <role>", "what the user may do").choices(ROLES).makeOptionMandatory())
    .action(async ({ email, role, ...options }: CreateOptions) => {
      const input = { email, role };
      const { createUser } = await withAccessClient(options, (client) => client.ask("CreateUser", { input }, created));
      printLine(createUser.user.id);
    });

  addClientOptions(user.command("list")).description("list all users, including disabled ones").action(printUsers);

  changeCommand(user, "role", "change a user's role; the user's keys change immediately")
    .addArgument(new Argument("<role>", "what the user may do").choices(ROLES))
    .action((named: string, role: Role, options: ClientOptions) => change(options, named, "SetUserRole", { role }));

  changeCommand(user, "disable", "disable a user; their keys stop working immediately").action(
    (named: string, options: ClientOptions) => change(options, named, "SetUserDisabled", { disabled: true }),
  );

  changeCommand(user, "enable", "enable a disabled user").action((named: string, options: ClientOptions) =>
    change(options, named, "SetUserDisabled", { disabled: false }),
  );

  changeCommand(user, "grant", "grant a user a permission that the role does not have")
    .addArgument(permissionArgument())
    .action((named: string, permission: Permission, options: ClientOptions) =>
      change(options, named, "GrantPermission", { permission: toEnum(permission) }),
    );

  changeCommand(user, "ungrant", "remove a granted permission")
    .addArgument(permissionArgument())
    .action((named: string, permission: Permission, options: ClientOptions) =>
      change(options, named, "RevokePermission", { permission: toEnum(permission) }),
    );
}

function changeCommand(user: Command, name: string, description: string): Command {
  return addClientOptions(user.command(name)).description(description).argument("<user>", "the e-mail address or id");
}

async function change(
  options: ClientOptions,
  named: string,
  operation: string,
  what: Record<string, unknown>,
): Promise<void> {
  await withAccessClient(options, async (client) => {
    const { id } = pickUser(await listUsers(client), named);
    await client.ask(operation, { input: { id, ...what } }, z.unknown());
  });
}

function listUsers(client: Client): Promise<z.output<typeof listed>[]> {
  return listAll(client, "ListUsers", listed);
}

async function printUsers(options: ClientOptions): Promise<void> {
  const users = await withAccessClient(options, listUsers);
  printTable(
    ["EMAIL", "ID", "ROLE", "GRANTS", "CREATED", "STATUS"],
    users.map(({ email, id, role, grants, createdAt, disabledAt }) => [
      email,
      id,
      role,
      grants.map(fromEnum).join(","),
      createdAt,
      disabledAt === null ? "active" : `disabled ${disabledAt}`,
    ]),
  );
}
