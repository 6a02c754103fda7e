/** `tributary key`: the API keys of a workspace. */
import { type Command, Option } from "commander";
import { z } from "zod";

import { createApiKey, EXPIRY_DAYS } from "../auth/api-keys.ts";
import { fromCommandLine, type Origin } from "../auth/origin.ts";
import { systemClock } from "../clock.ts";
import { AppError } from "../errors.ts";
import { SCOPES, type Scope, type Workspace } from "../metadata/records.ts";
import { addClientOptions, type Client, type ClientOptions, withAccessClient } from "./client.ts";
import { pickUser } from "./find.ts";
import { listAll } from "./list-all.ts";
import { printLine, printTable } from "./print.ts";
import type { Session } from "./session.ts";

interface CreateOptions extends ClientOptions {
  name: string;
  scope: Scope[];
  test?: boolean;
  expires?: string;
}

const created = z.object({ createApiKey: z.object({ token: z.string() }) });

const listed = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  createdBy: z.object({ name: z.string() }).nullable(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
});

type ListedKey = z.output<typeof listed>;

export function addKeyCommands(program: Command): void {
  const key = program.command("key").description("create, list, rename and revoke API keys");

  addClientOptions(key.command("create"))
    .description("create a key and print it; it cannot be shown again")
    .requiredOption("--name <name>", "what the key is for")
    .addOption(new Option("--scope <scope...>", "what it may do; repeatable").choices(SCOPES).default(["read"]))
    .option("--test", "create a test key, for a sandbox workspace")
    .addOption(
      new Option("--expires <days>", "days until it expires; never, if left out").choices(EXPIRY_DAYS.map(String)),
    )
    .option("--user <user>", "the owner of the key, by e-mail address or id (default: the workspace's first admin)")
    .action(async ({ name, scope: scopes, test = false, expires, ...options }: CreateOptions) => {
      const expiresInDays = EXPIRY_DAYS.find((days) => String(days) === expires) ?? null;
      const input = { name, scopes, expiresInDays, test };
      printLine(await withAccessClient(options, (client) => createKey(client, input, options.user)));
    });

  addClientOptions(key.command("list"))
    .description("list all keys, including revoked and expired ones")
    .action(printKeys);

  addClientOptions(key.command("rename"))
    .description("rename a key")
    .argument("<id>", "as the list shows it")
    .argument("<name>", "what the key is for")
    .action(async (id: string, name: string, options: ClientOptions) => {
      await withAccessClient(options, (client) => client.ask("RenameKey", { input: { id, name } }, z.unknown()));
    });

  addClientOptions(key.command("revoke"))
    .description("revoke a key immediately and permanently")
    .argument("<id>", "as the list shows it")
    .action(async (id: string, options: ClientOptions) => {
      await withAccessClient(options, (client) => client.ask("RevokeKey", { input: { id } }, z.unknown()));
    });
}

interface KeyInput {
  name: string;
  scopes: Scope[];
  expiresInDays: number | null;
  test: boolean;
}

/** @returns the token */
async function createKey(client: Client, input: KeyInput, user: string | undefined): Promise<string> {
  if (user === undefined || client.here === null) {
    return (await client.ask("CreateKey", { input }, created)).createApiKey.token;
  }
  // Not by GraphQL, which would require that the user may manage keys. The operator may create keys for any user.
  const { session, workspace } = client.here;
  const { test, ...request } = input;
  const maker = await toMaker(session, workspace, user);
  return (await createApiKey(session, maker, { ...request, kind: test ? "test" : "live" })).token;
}

/** @throws AppError `not_found`; `conflict` if the user is disabled, because the key would not work */
async function toMaker({ store }: Session, workspace: Workspace, emailOrId: string): Promise<Origin> {
  const user = pickUser(await store.users.list(workspace.id), emailOrId);
  if (user.disabledAt !== null)
    throw new AppError("conflict", `${user.email} is disabled: no key of theirs would work.`);
  return fromCommandLine(workspace, user);
}

/** Prints all keys, the oldest first, including revoked and expired ones. */
function listKeys(client: Client): Promise<ListedKey[]> {
  return listAll(client, "ListKeys", listed);
}

async function printKeys(options: ClientOptions): Promise<void> {
  const keys = await withAccessClient(options, listKeys);
  const now = systemClock.now().toISOString();
  printTable(
    ["ID", "NAME", "BEGINS", "SCOPES", "MADE BY", "CREATED", "LAST USED", "STATUS"],
    keys.map((key) => [
      key.id,
      key.name,
      `${key.prefix}…`,
      key.scopes.join(","),
      key.createdBy?.name ?? "",
      key.createdAt,
      key.lastUsedAt ?? "never",
      tellStatus(key, now),
    ]),
  );
}

function tellStatus({ revokedAt, expiresAt }: ListedKey, now: string): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`;
  if (expiresAt === null) return "active";
  return `${expiresAt <= now ? "expired" : "active until"} ${expiresAt}`;
}
