/** `tributary key`: the API keys of a workspace. */
import { type Command, Option } from "commander";

import { createApiKey, EXPIRY_DAYS } from "../auth/api-keys.ts";
import { fromCommandLine } from "../auth/origin.ts";
import { type ApiKey, SCOPES, type Scope } from "../metadata/records.ts";
import { getFirstAdmin } from "../start/workspace.ts";
import { printLine, printTable } from "./print.ts";
import { inWorkspace, type WorkspaceOption, workspaceOption } from "./session.ts";

interface CreateOptions extends WorkspaceOption {
  name: string;
  scope: Scope[];
  test?: boolean;
  expires?: string;
}

export function addKeyCommands(program: Command): void {
  const key = program.command("key").description("create, list and revoke API keys");

  key
    .command("create")
    .description("create a key and print it; it cannot be shown again")
    .requiredOption("--name <name>", "what the key is for")
    .addOption(new Option("--scope <scope...>", "what it may do; repeatable").choices(SCOPES).default(["read"]))
    .option("--test", "a test key, which a sandbox workspace takes")
    .addOption(
      new Option("--expires <days>", "days until it expires; never, if left out").choices(EXPIRY_DAYS.map(String)),
    )
    .addOption(workspaceOption())
    .action(createKey);

  key
    .command("list")
    .description("list the keys, revoked and expired ones too")
    .addOption(workspaceOption())
    .action(listKeys);

  key
    .command("revoke")
    .description("revoke a key, at once and for good")
    .argument("<id>", "as the list shows it")
    .addOption(workspaceOption())
    .action(async (id: string, options: WorkspaceOption) => {
      await inWorkspace(options, ({ store }, workspace) => store.keys.revoke(workspace.id, id));
    });
}

async function createKey(options: CreateOptions): Promise<void> {
  const { name, scope: scopes, test = false, expires } = options;
  const { token } = await inWorkspace(options, async ({ store, clock, random }, workspace) => {
    const admin = await getFirstAdmin(store, workspace);
    const expiresInDays = EXPIRY_DAYS.find((days) => String(days) === expires) ?? null;
    const kind = test ? "test" : "live";
    return createApiKey({ store, clock, random }, fromCommandLine(workspace, admin), {
      name,
      scopes,
      expiresInDays,
      kind,
    });
  });
  printLine(token);
}

async function listKeys(options: WorkspaceOption): Promise<void> {
  const { keys, now } = await inWorkspace(options, async ({ store, clock }, workspace) => {
    return { keys: await store.keys.list(workspace.id), now: clock.now().toISOString() };
  });
  printTable(
    ["ID", "NAME", "BEGINS", "SCOPES", "CREATED", "STATUS"],
    keys.map((key) => [key.id, key.name, `${key.prefix}…`, key.scopes.join(","), key.createdAt, tellStatus(key, now)]),
  );
}

function tellStatus({ revokedAt, expiresAt }: ApiKey, now: string): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`;
  if (expiresAt === null) return "active";
  return `${expiresAt <= now ? "expired" : "active until"} ${expiresAt}`;
}
