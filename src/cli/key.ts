/** `tributary key`: the API keys of a workspace. */
import { type Command, Option } from "commander";

import { createApiKey, EXPIRY_DAYS, renameApiKey, revokeApiKey } from "../auth/api-keys.ts";
import { fromCommandLine, type Origin } from "../auth/origin.ts";
import { AppError } from "../errors.ts";
import { type ApiKey, SCOPES, type Scope, type Workspace } from "../metadata/records.ts";
import { getUser } from "./find.ts";
import { printLine, printTable } from "./print.ts";
import { changeWorkspace, inWorkspace, type Session, type WorkspaceOption, workspaceOption } from "./session.ts";

interface CreateOptions extends WorkspaceOption {
  name: string;
  scope: Scope[];
  test?: boolean;
  expires?: string;
  user?: string;
}

export function addKeyCommands(program: Command): void {
  const key = program.command("key").description("create, list, rename and revoke API keys");

  key
    .command("create")
    .description("create a key and print it; it cannot be shown again")
    .requiredOption("--name <name>", "what the key is for")
    .addOption(new Option("--scope <scope...>", "what it may do; repeatable").choices(SCOPES).default(["read"]))
    .option("--test", "a test key, which a sandbox workspace takes")
    .addOption(
      new Option("--expires <days>", "days until it expires; never, if left out").choices(EXPIRY_DAYS.map(String)),
    )
    .option("--user <user>", "who makes it, by e-mail address or id; the workspace's first admin, if left out")
    .addOption(workspaceOption())
    .action(createKey);

  key
    .command("list")
    .description("list the keys, revoked and expired ones too")
    .addOption(workspaceOption())
    .action(listKeys);

  key
    .command("rename")
    .description("give a key another name")
    .argument("<id>", "as the list shows it")
    .argument("<name>", "what the key is for")
    .addOption(workspaceOption())
    .action(async (id: string, name: string, options: WorkspaceOption) => {
      await changeWorkspace(options, (session, origin) => renameApiKey(session, origin, { id, name }));
    });

  key
    .command("revoke")
    .description("revoke a key, at once and for good")
    .argument("<id>", "as the list shows it")
    .addOption(workspaceOption())
    .action(async (id: string, options: WorkspaceOption) => {
      await changeWorkspace(options, (session, origin) => revokeApiKey(session, origin, id));
    });
}

async function createKey({ user, ...options }: CreateOptions): Promise<void> {
  const { name, scope: scopes, test = false, expires } = options;
  const { token } = await changeWorkspace(options, async (session, origin) => {
    const expiresInDays = EXPIRY_DAYS.find((days) => String(days) === expires) ?? null;
    const kind = test ? "test" : "live";
    const maker = user === undefined ? origin : await toMaker(session, origin.workspace, user);
    return createApiKey(session, maker, { name, scopes, expiresInDays, kind });
  });
  printLine(token);
}

/** @throws AppError `not_found`, or `conflict` for a user who is disabled: the key would be dead from the start */
async function toMaker({ store }: Session, workspace: Workspace, emailOrId: string): Promise<Origin> {
  const user = await getUser(store, workspace.id, emailOrId);
  if (user.disabledAt !== null)
    throw new AppError("conflict", `${user.email} is disabled: no key of theirs would work.`);
  return fromCommandLine(workspace, user);
}

async function listKeys(options: WorkspaceOption): Promise<void> {
  const rows = await inWorkspace(options, async ({ store, clock }, { id: workspaceId }) => {
    const [keys, users, accounts] = await Promise.all([
      store.keys.list(workspaceId),
      store.users.list(workspaceId),
      store.accounts.list(workspaceId),
    ]);
    const makers = [...users.map(({ id, email }) => ({ id, name: email })), ...accounts];
    const names = new Map(makers.map(({ id, name }): [string, string] => [id, name]));
    const now = clock.now().toISOString();
    return keys.map((key) => [
      key.id,
      key.name,
      `${key.prefix}…`,
      key.scopes.join(","),
      names.get(key.createdBy) ?? "",
      key.createdAt,
      key.lastUsedAt ?? "never",
      tellStatus(key, now),
    ]);
  });
  printTable(["ID", "NAME", "BEGINS", "SCOPES", "MADE BY", "CREATED", "LAST USED", "STATUS"], rows);
}

function tellStatus({ revokedAt, expiresAt }: ApiKey, now: string): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`;
  if (expiresAt === null) return "active";
  return `${expiresAt <= now ? "expired" : "active until"} ${expiresAt}`;
}
