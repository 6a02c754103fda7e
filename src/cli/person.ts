/** `tributary person`: the people of a workspace, and how they log in. */
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { z } from "zod";

import { isEmailAddress } from "../catalog/email.ts";
import { AppError } from "../errors.ts";
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
  disabled: z.boolean(),
  hasPassword: z.boolean(),
  sso: z.boolean(),
  lastLoginAt: z.string().nullable(),
});
const link = z.object({ link: z.string(), expiresAt: z.string() });
const invited = z.object({ invitePerson: link });
const reset = z.object({ resetPassword: link });
const invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: z.string(),
  invitedBy: z.object({ email: z.string() }).nullable(),
  expiresAt: z.string(),
  works: z.boolean(),
});
const created = z.object({ createUser: z.object({ user: z.object({ id: z.string() }) }) });

/** GraphQL's names of permissions, which cannot contain a colon. */
const toEnum = (permission: Permission): string => permission.replace(":", "_");
const fromEnum = (name: string): string => PERMISSIONS.find((permission) => toEnum(permission) === name) ?? name;

const permissionArgument = (): Argument =>
  new Argument(
    "<permission>",
    "api:manage lets the person make, list and revoke keys, metrics:certify certify metrics",
  ).choices(PERMISSIONS);

export function addPersonCommands(program: Command): void {
  const person = program.command("person").description("invite, list and change the people of a workspace");

  addClientOptions(person.command("invite"))
    .description("print a one-time link by which a person sets a password and joins the workspace; it works for 7 days")
    .requiredOption("--email <email>", "who it is", parseEmail)
    .addOption(new Option("--role <role>", "what the person may do").choices(ROLES).makeOptionMandatory())
    .action(async ({ email, role, ...options }: CreateOptions) => {
      const input = { email, role };
      const answer = await withAccessClient(options, (client) => client.ask("InvitePerson", { input }, invited));
      printLine(answer.invitePerson.link);
    });

  addClientOptions(person.command("invitations"))
    .description("list the invitations that nobody has used yet, the oldest first")
    .action(printInvitations);

  addClientOptions(person.command("uninvite"))
    .description("cancel an invitation; its link stops working immediately")
    .argument("<invitation>", "the e-mail address or the invitation's id")
    .action(async (named: string, options: ClientOptions) => {
      await withAccessClient(options, async (client) => {
        const { id } = pickInvitation(await listInvitations(client), named);
        await client.ask("CancelInvitation", { input: { id } }, z.unknown());
      });
    });

  addClientOptions(person.command("create"))
    .description("add a person who uses keys only, without a login, and print the id")
    .requiredOption("--email <email>", "who it is", parseEmail)
    .addOption(new Option("--role <role>", "what the person may do").choices(ROLES).makeOptionMandatory())
    .action(async ({ email, role, ...options }: CreateOptions) => {
      const input = { email, role };
      const { createUser } = await withAccessClient(options, (client) => client.ask("CreateUser", { input }, created));
      printLine(createUser.user.id);
    });

  addClientOptions(person.command("list"))
    .description("list all people, how they log in, and when they last did; disabled ones too")
    .action(printPeople);

  changeCommand(
    person,
    "reset",
    "print a one-time link by which a person sets a new password; it works for a day",
  ).action(async (named: string, options: ClientOptions) => {
    const answer = await withAccessClient(options, async (client) => {
      const { id: userId } = pickUser(await listPeople(client), named);
      return client.ask("ResetPassword", { input: { userId } }, reset);
    });
    printLine(answer.resetPassword.link);
  });

  changeCommand(person, "role", "change a person's role; sessions and keys change immediately")
    .addArgument(new Argument("<role>", "what the person may do").choices(ROLES))
    .action((named: string, role: Role, options: ClientOptions) => changePerson(options, named, { role }));

  changeCommand(person, "disable", "disable a person; sessions and keys stop working immediately").action(
    (named: string, options: ClientOptions) => changePerson(options, named, { disabled: true }),
  );

  changeCommand(person, "enable", "enable a disabled person").action((named: string, options: ClientOptions) =>
    changePerson(options, named, { disabled: false }),
  );

  changeCommand(person, "grant", "grant a person a permission that the role does not have")
    .addArgument(permissionArgument())
    .action((named: string, permission: Permission, options: ClientOptions) =>
      changeGrants(options, named, "GrantPermission", permission),
    );

  changeCommand(person, "ungrant", "remove a granted permission")
    .addArgument(permissionArgument())
    .action((named: string, permission: Permission, options: ClientOptions) =>
      changeGrants(options, named, "RevokePermission", permission),
    );
}

/** @throws InvalidArgumentError if it is not an e-mail address */
function parseEmail(text: string): string {
  if (!isEmailAddress(text)) throw new InvalidArgumentError("It must be an e-mail address.");
  return text;
}

function changeCommand(person: Command, name: string, description: string): Command {
  return addClientOptions(person.command(name))
    .description(description)
    .argument("<person>", "the e-mail address or id");
}

async function changePerson(
  options: ClientOptions,
  named: string,
  what: { role?: Role; disabled?: boolean },
): Promise<void> {
  await withAccessClient(options, async (client) => {
    const { id: userId } = pickUser(await listPeople(client), named);
    await client.ask("ChangePerson", { input: { userId, ...what } }, z.unknown());
  });
}

async function changeGrants(
  options: ClientOptions,
  named: string,
  operation: "GrantPermission" | "RevokePermission",
  permission: Permission,
): Promise<void> {
  await withAccessClient(options, async (client) => {
    const { id } = pickUser(await listPeople(client), named);
    await client.ask(operation, { input: { id, permission: toEnum(permission) } }, z.unknown());
  });
}

type Invitation = z.output<typeof invitation>;

function listInvitations(client: Client): Promise<Invitation[]> {
  return listAll(client, "ListInvitations", invitation);
}

/** Of several for one address, the newest. */
function pickInvitation(invitations: readonly Invitation[], emailOrId: string): Invitation {
  const found = invitations.findLast(({ id, email }) => id === emailOrId || email === emailOrId);
  if (found !== undefined) return found;
  const hint = "tributary person invitations shows all invitations";
  throw new AppError("not_found", `There is no open invitation for ${emailOrId}; ${hint}.`);
}

async function printInvitations(options: ClientOptions): Promise<void> {
  const invitations = await withAccessClient(options, listInvitations);
  printTable(
    ["EMAIL", "ID", "ROLE", "INVITED BY", "EXPIRES", "LINK"],
    invitations.map(({ email, id, role, invitedBy, expiresAt, works }) => [
      email,
      id,
      role,
      invitedBy?.email ?? "",
      expiresAt,
      works ? "works" : "no longer works",
    ]),
  );
}

function listPeople(client: Client): Promise<z.output<typeof listed>[]> {
  return listAll(client, "ListPeople", listed);
}

async function printPeople(options: ClientOptions): Promise<void> {
  const people = await withAccessClient(options, listPeople);
  printTable(
    ["EMAIL", "ID", "ROLE", "GRANTS", "LOGS IN BY", "LAST LOGIN", "STATUS"],
    people.map(({ email, id, role, grants, disabled, lastLoginAt, ...ways }) => [
      email,
      id,
      role,
      grants.map(fromEnum).join(","),
      tellWays(ways),
      lastLoginAt ?? "never",
      disabled ? "disabled" : "active",
    ]),
  );
}

function tellWays({ hasPassword, sso }: { hasPassword: boolean; sso: boolean }): string {
  return [...(hasPassword ? ["password"] : []), ...(sso ? ["single sign-on"] : [])].join(", ") || "keys only";
}
