/** `tributary account`: the service accounts of a workspace and their secrets. */
import { Argument, Option } from "commander";

import { EXPIRY_DAYS, toExpiry } from "../auth/lifetime.ts";
import { AppError } from "../errors.ts";
import { ROLES, type Role } from "../metadata/records.ts";
import type { Client } from "./client.ts";
import { type CommandBody, list, send, sendAbout } from "./command.ts";
import { requireYes } from "./confirm.ts";
import { listAll } from "./list-all.ts";
import type { Item } from "./operations.ts";
import { printLine } from "./print.ts";

type Account = Item<"ListAccounts">;

interface SecretOptions {
  expires?: string;
}

const EXPIRES = new Option("--expires <days>", "days until the secret expires; never, if left out").choices(
  EXPIRY_DAYS.map(String),
);

const ACCOUNT = new Argument("<account>", "its name or id");
const change = sendAbout(getAccount);

export const accountCommand: CommandBody = {
  reach: "access",
  commands: [
    {
      name: "create",
      description: "create a service account and print its client_id and client_secret, which cannot be shown again",
      options: [
        new Option("--name <name>", "what to call it").makeOptionMandatory(),
        new Option("--role <role>", "what it may do").choices(ROLES).makeOptionMandatory(),
        EXPIRES,
      ],
      async run(client: Client, { name, role, expires }: SecretOptions & { name: string; role: Role }) {
        const input = { name, role, expiresInDays: toExpiry(expires) };
        const { createServiceAccount } = await client.ask("CreateAccount", { input });
        printCredentials(createServiceAccount.clientId, createServiceAccount.clientSecret);
      },
    },
    {
      name: "list",
      description:
        "list the accounts with their valid secrets and when each was last used, the older first; disabled accounts too",
      run: list(
        "ListAccounts",
        {
          NAME: "name",
          ID: "id",
          "CLIENT ID": "clientId",
          ROLE: "role",
          SECRETS: ({ secrets }) =>
            secrets
              .filter(({ revokedAt }) => revokedAt === null)
              .map(describeSecret)
              .join(", "),
          STATUS: ({ disabledAt }) => (disabledAt === null ? "active" : `disabled ${disabledAt}`),
        },
        "No service accounts. `tributary account create` makes one.",
      ),
    },
    {
      name: "revoke-secret",
      description: "revoke one of an account's secrets immediately and permanently",
      done: "The secret is revoked.",
      arguments: [new Argument("<id>", "as the list shows it")],
      run: send("RevokeSecret", (_client, id: string) => ({ id })),
    },
    {
      name: "rotate",
      description: "add a second secret and print it; the first stays valid until it is revoked",
      arguments: [ACCOUNT],
      options: [EXPIRES],
      async run(client: Client, named: string, { expires }: SecretOptions) {
        const { id: accountId, clientId } = await getAccount(client, named);
        const input = { accountId, expiresInDays: toExpiry(expires) };
        const { rotateClientSecret } = await client.ask("RotateSecret", { input });
        printCredentials(clientId, rotateClientSecret.clientSecret);
      },
    },
    {
      name: "role",
      description: "change an account's role; its tokens change immediately",
      done: "The role is changed.",
      arguments: [ACCOUNT, new Argument("<role>", "what it may do").choices(ROLES)],
      run: change("SetAccountRole", (_account, role: Role) => ({ role })),
    },
    {
      name: "disable",
      description: "disable a service account; its tokens stop working immediately",
      done: "The account is disabled.",
      arguments: [ACCOUNT],
      run: change("SetAccountDisabled", () => ({ disabled: true })),
    },
    {
      name: "enable",
      description: "enable a disabled service account",
      done: "The account is enabled.",
      arguments: [ACCOUNT],
      run: change("SetAccountDisabled", () => ({ disabled: false })),
    },
    {
      name: "remove",
      description: "remove a service account with its secrets and tokens, permanently",
      done: "The account is removed.",
      arguments: [ACCOUNT],
      options: [new Option("--yes", "do not ask")],
      run: change("RemoveAccount", ({ name }, { yes = false }: { yes?: boolean }) => {
        const question = `Remove the service account ${name}? Its secrets and tokens stop working at once.`;
        return requireYes(question, yes, "remove");
      }),
    },
  ],
};

/** @throws AppError `not_found` */
export async function getAccount(client: Client, nameOrId: string): Promise<Account> {
  const accounts = await listAll(client, "ListAccounts");
  const found = accounts.find(({ id, name }) => id === nameOrId || name === nameOrId);
  if (found !== undefined) return found;
  throw new AppError("not_found", `There is no account ${nameOrId}; tributary account list shows all accounts.`);
}

function printCredentials(clientId: string, clientSecret: string): void {
  printLine(JSON.stringify({ client_id: clientId, client_secret: clientSecret }));
}

function describeSecret({ id, lastUsedAt, expiresAt }: Account["secrets"][number]): string {
  const used = lastUsedAt === null ? "never used" : `last used ${lastUsedAt}`;
  return `${id} (${used}${expiresAt === null ? "" : `, expires ${expiresAt}`})`;
}
