/** `tributary account`: the service accounts of a workspace, and the secrets by which they get their tokens. */
import { Argument, type Command, Option } from "commander";

import type { Origin } from "../auth/origin.ts";
import {
  createServiceAccount,
  revokeClientSecret,
  rotateClientSecret,
  setAccountDisabled,
  setAccountRole,
} from "../auth/service-accounts.ts";
import { type ClientSecret, ROLES, type Role, type ServiceAccount } from "../metadata/records.ts";
import { getAccount } from "./find.ts";
import { printLine, printTable } from "./print.ts";
import { changeWorkspace, inWorkspace, type Session, type WorkspaceOption, workspaceOption } from "./session.ts";

interface CreateOptions extends WorkspaceOption {
  name: string;
  role: Role;
}

export function addAccountCommands(program: Command): void {
  const account = program.command("account").description("create, list and change service accounts");

  account
    .command("create")
    .description("create a service account and print its client_id and client_secret, which cannot be shown again")
    .requiredOption("--name <name>", "what to call it")
    .addOption(new Option("--role <role>", "what it may do").choices(ROLES).makeOptionMandatory())
    .addOption(workspaceOption())
    .action(async ({ name, role, ...options }: CreateOptions) => {
      const created = await changeWorkspace(options, (session, origin) =>
        createServiceAccount(session, origin, { name, role }),
      );
      printCredentials(created.account, created.clientSecret);
    });

  account
    .command("list")
    .description(
      "list the accounts with their valid secrets and when each was last used, the older first; disabled accounts too",
    )
    .addOption(workspaceOption())
    .action(listAccounts);

  account
    .command("revoke-secret")
    .description("revoke one of an account's secrets, at once and for good")
    .argument("<id>", "as the list shows it")
    .addOption(workspaceOption())
    .action(async (id: string, options: WorkspaceOption) => {
      await changeWorkspace(options, (session, origin) => revokeClientSecret(session, origin, id));
    });

  changeCommand(
    account,
    "rotate",
    "add a second secret and print it; the first stays valid until it is revoked",
  ).action(async (nameOrId: string, options: WorkspaceOption) =>
    changeAccount(options, nameOrId, async (session, origin, found) => {
      const { clientSecret } = await rotateClientSecret(session, origin, found.id);
      printCredentials(found, clientSecret);
    }),
  );

  changeCommand(account, "role", "give an account another role; its tokens follow at once")
    .addArgument(new Argument("<role>", "what it may do").choices(ROLES))
    .action(async (nameOrId: string, role: Role, options: WorkspaceOption) =>
      changeAccount(options, nameOrId, (session, origin, { id }) => setAccountRole(session, origin, { id, role })),
    );

  changeCommand(account, "disable", "let nothing in that is the account's").action(
    async (nameOrId: string, options: WorkspaceOption) =>
      changeAccount(options, nameOrId, (session, origin, { id }) =>
        setAccountDisabled(session, origin, { id, disabled: true }),
      ),
  );

  changeCommand(account, "enable", "let in again what is the account's").action(
    async (nameOrId: string, options: WorkspaceOption) =>
      changeAccount(options, nameOrId, (session, origin, { id }) =>
        setAccountDisabled(session, origin, { id, disabled: false }),
      ),
  );
}

function changeCommand(account: Command, name: string, description: string): Command {
  return account
    .command(name)
    .description(description)
    .argument("<account>", "its name or id")
    .addOption(workspaceOption());
}

async function changeAccount(
  options: WorkspaceOption,
  nameOrId: string,
  change: (session: Session, origin: Origin, account: ServiceAccount) => Promise<unknown>,
): Promise<void> {
  await changeWorkspace(options, async (session, origin) =>
    change(session, origin, await getAccount(session.store, origin.workspace.id, nameOrId)),
  );
}

function printCredentials({ clientId }: ServiceAccount, clientSecret: string): void {
  printLine(JSON.stringify({ client_id: clientId, client_secret: clientSecret }));
}

async function listAccounts(options: WorkspaceOption): Promise<void> {
  const rows = await inWorkspace(options, async ({ store }, workspace) => {
    const accounts = await store.accounts.list(workspace.id);
    const secrets = await store.accounts.loadSecrets(
      workspace.id,
      accounts.map(({ id }) => id),
    );
    return accounts.map(({ name, id, clientId, role, disabledAt }, index) => {
      const valid = (secrets[index] ?? []).filter(({ revokedAt }) => revokedAt === null);
      const status = disabledAt === null ? "active" : `disabled ${disabledAt}`;
      return [name, id, clientId, role, valid.map(tellSecret).join(", "), status];
    });
  });
  printTable(["NAME", "ID", "CLIENT ID", "ROLE", "SECRETS", "STATUS"], rows);
}

function tellSecret({ id, lastUsedAt }: ClientSecret): string {
  return `${id} (${lastUsedAt === null ? "never used" : `last used ${lastUsedAt}`})`;
}
