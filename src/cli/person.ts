/** `tributary person`: the people of a workspace, and how they log in. */
import { Argument, InvalidArgumentError, Option } from "commander";

import { isEmailAddress } from "../catalog/email.ts";
import { AppError } from "../errors.ts";
import { type Permission, PERMISSIONS, ROLES, type Role } from "../metadata/records.ts";
import { type Client, pickUser } from "./client.ts";
import { type CommandBody, list, send, sendAbout } from "./command.ts";
import { listAll } from "./list-all.ts";
import { printResult } from "./print.ts";

interface NewPerson {
  email: string;
  role: Role;
}

/** GraphQL's names of permissions, which cannot contain a colon. */
const toEnum = (permission: Permission): string => permission.replace(":", "_");
const fromEnum = (name: string): string => PERMISSIONS.find((permission) => toEnum(permission) === name) ?? name;

const PERSON = new Argument("<person>", "the e-mail address or id");
const change = sendAbout(getPerson, "userId");
const PERMISSION = new Argument(
  "<permission>",
  "api:manage lets the person make, list and revoke keys, metrics:certify certify metrics",
).choices(PERMISSIONS);
const NEW_PERSON = [
  new Option("--email <email>", "who it is").argParser(parseEmail).makeOptionMandatory(),
  new Option("--role <role>", "what the person may do").choices(ROLES).makeOptionMandatory(),
];

export const personCommand: CommandBody = {
  reach: "access",
  commands: [
    {
      name: "invite",
      description:
        "print a one-time link by which a person sets a password and joins the workspace; it works for 7 days",
      done: tellLink,
      options: NEW_PERSON,
      run: send("InvitePerson", toNewPerson),
    },
    {
      name: "invitations",
      description: "list the invitations that nobody has used yet, the oldest first",
      run: list(
        "ListInvitations",
        {
          EMAIL: "email",
          ID: "id",
          ROLE: "role",
          "INVITED BY": ({ invitedBy }) => invitedBy?.email,
          EXPIRES: "expiresAt",
          LINK: ({ works }) => (works ? "works" : "no longer works"),
        },
        "No open invitations. `tributary person invite` makes one.",
      ),
    },
    {
      name: "uninvite",
      description: "cancel an invitation; its link stops working immediately",
      done: "The invitation is cancelled.",
      arguments: [new Argument("<invitation>", "the e-mail address or the invitation's id")],
      run: sendAbout(getInvitation)("CancelInvitation", () => ({})),
    },
    {
      name: "create",
      description: "add a person who uses keys only, without a login, and print the id",
      options: NEW_PERSON,
      async run(client: Client, person: NewPerson) {
        const { createUser } = await client.ask("CreateUser", { input: toNewPerson(client, person) });
        printResult(createUser.user.id, createUser.user);
      },
    },
    {
      name: "list",
      description: "list all people, how they log in, and when they last did; disabled ones too",
      run: list(
        "ListPeople",
        {
          EMAIL: "email",
          ID: "id",
          ROLE: "role",
          GRANTS: ({ grants }) => grants.map(fromEnum).join(","),
          "LOGS IN BY": describeLogins,
          "LAST LOGIN": ({ lastLoginAt }) => lastLoginAt ?? "never",
          STATUS: ({ disabled }) => (disabled ? "disabled" : "active"),
        },
        "No people. `tributary person invite` invites one.",
      ),
    },
    {
      name: "reset",
      description: "print a one-time link by which a person sets a new password; it works for a day",
      done: tellLink,
      arguments: [PERSON],
      run: change("ResetPassword", () => ({})),
    },
    {
      name: "role",
      description: "change a person's role; sessions and keys change immediately",
      done: "The role is changed.",
      arguments: [PERSON, new Argument("<role>", "what the person may do").choices(ROLES)],
      run: change("ChangePerson", (_person, role: Role) => ({ role })),
    },
    {
      name: "disable",
      description: "disable a person; sessions and keys stop working immediately",
      done: "The person is disabled.",
      arguments: [PERSON],
      run: change("ChangePerson", () => ({ disabled: true })),
    },
    {
      name: "enable",
      description: "enable a disabled person",
      done: "The person is enabled.",
      arguments: [PERSON],
      run: change("ChangePerson", () => ({ disabled: false })),
    },
    {
      name: "grant",
      description: "grant a person a permission that the role does not have",
      done: "The permission is granted.",
      arguments: [PERSON, PERMISSION],
      run: sendAbout(getPerson)("GrantPermission", toGrant),
    },
    {
      name: "ungrant",
      description: "remove a granted permission",
      done: "The permission is removed.",
      arguments: [PERSON, PERMISSION],
      run: sendAbout(getPerson)("RevokePermission", toGrant),
    },
  ],
};

/** @throws InvalidArgumentError if it is not an e-mail address */
function parseEmail(text: string): string {
  if (!isEmailAddress(text)) throw new InvalidArgumentError("It must be an e-mail address.");
  return text;
}

/** Without the options of the client. */
function toNewPerson(_client: Client, { email, role }: NewPerson): NewPerson {
  return { email, role };
}

function toGrant(_person: unknown, permission: Permission): { permission: string } {
  return { permission: toEnum(permission) };
}

function tellLink({ link }: { link: string }): string {
  return link;
}

async function getPerson(client: Client, emailOrId: string) {
  return pickUser(await listAll(client, "ListPeople"), emailOrId);
}

/** Returns the newest if an address has several. */
async function getInvitation(client: Client, emailOrId: string) {
  const invitations = await listAll(client, "ListInvitations");
  const found = invitations.findLast(({ id, email }) => id === emailOrId || email === emailOrId);
  if (found !== undefined) return found;
  const hint = "tributary person invitations shows all invitations";
  throw new AppError("not_found", `There is no open invitation for ${emailOrId}; ${hint}.`);
}

function describeLogins({ hasPassword, sso }: { hasPassword: boolean; sso: boolean }): string {
  return [...(hasPassword ? ["password"] : []), ...(sso ? ["single sign-on"] : [])].join(", ") || "keys only";
}
