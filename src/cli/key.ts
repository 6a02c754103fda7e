/** `tributary key`: the API keys of a workspace. */
import { Argument, Option } from "commander";

import { createApiKey } from "../auth/api-keys.ts";
import { EXPIRY_DAYS, toExpiry } from "../auth/lifetime.ts";
import { fromCommandLine, type Origin } from "../auth/origin.ts";
import { systemClock } from "../clock.ts";
import { AppError } from "../errors.ts";
import { SCOPES, type Scope, type Workspace } from "../metadata/records.ts";
import { type Client, pickUser } from "./client.ts";
import { type CommandBody, list, send } from "./command.ts";
import type { Item } from "./operations.ts";
import { printResult } from "./print.ts";
import type { Session } from "./session.ts";

interface CreateOptions {
  name: string;
  scope: Scope[];
  test?: boolean;
  expires?: string;
  network?: string[];
  user?: string;
}

const ID = new Argument("<id>", "as the list shows it");

export const keyCommand: CommandBody = {
  reach: "access",
  commands: [
    {
      name: "create",
      description: "create a key and print it; it cannot be shown again",
      options: [
        new Option("--name <name>", "what the key is for").makeOptionMandatory(),
        new Option("--scope <scope...>", "what it may do; repeatable").choices(SCOPES).default(["read"]),
        new Option("--test", "create a test key, for a sandbox workspace"),
        new Option("--expires <days>", "days until it expires; never, if left out").choices(EXPIRY_DAYS.map(String)),
        new Option("--network <cidr...>", "accept it only from this network, such as 203.0.113.0/24; repeatable"),
        new Option(
          "--user <user>",
          "the owner of the key, by e-mail address or id (default: the workspace's first admin)",
        ),
      ],
      run: createKey,
    },
    {
      name: "list",
      description: "list all keys, including revoked and expired ones",
      run: list(
        "ListKeys",
        {
          ID: "id",
          NAME: "name",
          BEGINS: ({ prefix }) => `${prefix}…`,
          SCOPES: "scopes",
          "MADE BY": ({ createdBy }) => createdBy?.name,
          CREATED: "createdAt",
          "LAST USED": ({ lastUsedAt }) => lastUsedAt ?? "never",
          STATUS: describeStatus,
        },
        "No keys. `tributary key create` makes one.",
      ),
    },
    {
      name: "rename",
      description: "rename a key",
      done: "The key is renamed.",
      arguments: [ID, new Argument("<name>", "what the key is for")],
      run: send("RenameKey", (_client, id: string, name: string) => ({ id, name })),
    },
    {
      name: "revoke",
      description: "revoke a key immediately and permanently",
      done: "The key is revoked.",
      arguments: [ID],
      run: send("RevokeKey", (_client, id: string) => ({ id })),
    },
  ],
};

/** Prints the token of the new key. */
async function createKey(
  client: Client,
  { name, scope: scopes, test = false, expires, network: networks = [], user }: CreateOptions,
) {
  const expiresInDays = toExpiry(expires);
  if (user === undefined || client.here === null) {
    const answer = await client.ask("CreateKey", { input: { name, scopes, expiresInDays, networks, test } });
    printResult(answer.createApiKey.token, answer.createApiKey);
    return;
  }
  // GraphQL would require that the user may manage keys. The operator may create keys for any user.
  const { session, workspace } = client.here;
  const owner = await toOwner(session, workspace, user);
  const { token } = await createApiKey(session, owner, {
    name,
    scopes,
    expiresInDays,
    networks,
    kind: test ? "test" : "live",
  });
  printResult(token, { token });
}

/** @throws AppError `not_found`; `conflict` if the user is disabled, because the key would not work */
async function toOwner({ store }: Session, workspace: Workspace, emailOrId: string): Promise<Origin> {
  const user = pickUser(await store.users.list(workspace.id), emailOrId);
  if (user.disabledAt !== null)
    throw new AppError("conflict", `${user.email} is disabled: no key of theirs would work.`);
  return fromCommandLine(workspace, user);
}

function describeStatus({ revokedAt, expiresAt }: Item<"ListKeys">): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`;
  if (expiresAt === null) return "active";
  return `${expiresAt <= systemClock.now().toISOString() ? "expired" : "active until"} ${expiresAt}`;
}
