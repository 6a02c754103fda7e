/**
 * Where commands ask: GraphQL, of the data folder in this process, or of a service elsewhere. A command names an operation of
 * `schema/commands` or `schema/tools`, and both answer it alike.
 */
import { randomUUID } from "node:crypto";

import type { Command } from "commander";
import { print } from "graphql";
import { z } from "zod";

import { COMMAND_LINE } from "../auth/origin.ts";
import { scopesOf } from "../auth/permissions.ts";
import type { Principal } from "../auth/principal.ts";
import { AppError, unavailable } from "../errors.ts";
import type { RequestScope } from "../graphql/context.ts";
import { loadOperations } from "../graphql/operations.ts";
import type { OperationRunner } from "../graphql/run-operation.ts";
import type { Workspace } from "../metadata/records.ts";
import type { Services } from "../services.ts";
import { readSettings } from "../settings.ts";
import { DEFAULT_WORKSPACE, getFirstAdmin } from "../start/workspace.ts";
import { pickUser } from "./find.ts";
import { isCode, parseOrNull, post, type ServerOptions, toAddress, toRefusal } from "./server.ts";
import { type Session, withServices } from "./session.ts";

export interface ClientOptions {
  workspace?: string;
  server?: string;
  token?: string;
  allowHttp?: boolean;
  /** In whose name a command acts: an e-mail address or id; the operator, if left out. */
  user?: string;
}

export interface Client {
  /**
   * Runs an operation of `schema/commands` or `schema/tools`.
   * @throws AppError for whatever the service refuses
   */
  ask<T>(operation: string, variables: Readonly<Record<string, unknown>>, answer: z.ZodType<T>): Promise<T>;
  /** What the data folder's own process works with; null where a service elsewhere is asked. */
  here: { services: Services; session: Session; workspace: Workspace } | null;
}

/** Adds what says where a command asks. */
export function addClientOptions(command: Command): Command {
  return command
    .option("-w, --workspace <name>", `the workspace to work in (default: "${DEFAULT_WORKSPACE}")`)
    .option("--server <url>", "ask a running service instead of the data folder; or TRIBUTARY_URL")
    .option("--token <token>", "with --server: a token; better in TRIBUTARY_TOKEN")
    .option("--allow-http", "with --server: send the token over plain http to another machine, too");
}

/** Asks the service that the options or TRIBUTARY_URL name, else the data folder. */
export async function withClient<T>(options: ClientOptions, work: (client: Client) => Promise<T>): Promise<T> {
  const server = toServer(options);
  return server === null ? withDataFolder(options, work) : work(createRemoteClient(server));
}

/** The same for what is not in the graph: it goes on while a graph store on another machine is away. */
export async function withAccessClient<T>(options: ClientOptions, work: (client: Client) => Promise<T>): Promise<T> {
  const server = toServer(options);
  return server === null ? withDataFolder(options, work, true) : work(createRemoteClient(server));
}

/**
 * The service that the options or the environment name; null where the data folder is meant.
 * @throws AppError `bad_request` for options that do not go together
 */
export function toServer({ workspace, user, allowHttp = false, ...options }: ClientOptions): ServerOptions | null {
  const settings = readSettings().server;
  const { server = settings.url, token = settings.token } = options;
  if (server === null) {
    if (options.token === undefined && !allowHttp) return null;
    throw new AppError("bad_request", "--token and --allow-http go with --server.");
  }
  if (token === null) throw new AppError("bad_request", "A service asks for --token, or TRIBUTARY_TOKEN.");
  if (workspace !== undefined) {
    throw new AppError("bad_request", "--workspace is for the data folder: a token belongs to one workspace.");
  }
  if (user !== undefined) {
    throw new AppError("bad_request", "--user is for the data folder: a service knows you by your token.");
  }
  return { server, token, allowHttp };
}

const faults = z.array(z.object({ field: z.string(), message: z.string() }));

/** Of all answers of GraphQL. */
const envelope = z.object({
  data: z.unknown(),
  errors: z.array(
    z.object({
      message: z.string(),
      extensions: z.object({ code: z.string(), details: z.unknown() }).partial().optional(),
    }),
  ),
});

function createRemoteClient(options: ServerOptions): Client {
  const url = toAddress(options, "/graphql");
  const operations = loadOperations(["commands", "tools"]);
  return {
    here: null,
    async ask(operation, variables, answer) {
      const query = print(getOperation(operations, operation));
      const { response, text } = await post(url, options.token, {
        headers: { Accept: "application/json", "Content-Type": "application/json" },
        body: JSON.stringify({ query, variables }),
      });
      const { data: body } = envelope.partial().safeParse(parseOrNull(text));
      const [first] = body?.errors ?? [];
      if (first !== undefined) {
        const code = first.extensions?.code?.toLowerCase() ?? "";
        const { data: details } = faults.safeParse(first.extensions?.details);
        throw new AppError(isCode(code) ? code : "internal_error", first.message, details && { details });
      }
      if (response.status !== 200) throw toRefusal(url, response, text);
      const { data, error } = answer.safeParse(body?.data);
      if (data !== undefined) return data;
      throw unavailable(`${url.origin} answers in a form that this version does not understand.`, error);
    },
  };
}

function getOperation<T>(operations: ReadonlyMap<string, T>, name: string): T {
  const operation = operations.get(name);
  if (operation === undefined) throw new Error(`there is no operation ${name} in schema/commands or schema/tools`);
  return operation;
}

async function withDataFolder<T>(
  { workspace: name = DEFAULT_WORKSPACE, user }: ClientOptions,
  work: (client: Client) => Promise<T>,
  waits = false,
): Promise<T> {
  return withServices({ workspace: name, waits }, async (services, workspace, session) => {
    // Loaded when it is needed: a service elsewhere is asked without it.
    const { schema } = await import("../graphql/schema.ts");
    const { createOperationRunner } = await import("../graphql/run-operation.ts");
    const commands = loadOperations(["commands"]);
    const tools = loadOperations(["tools"]);
    let forTools: OperationRunner | undefined;
    // A command asks one or two of its own; whoever serves tools asks any of them, again and again.
    const runnerOf = (operation: string): OperationRunner =>
      tools.has(operation)
        ? (forTools ??= createOperationRunner(schema, services, tools))
        : createOperationRunner(schema, services, new Map([[operation, getOperation(commands, operation)]]));
    let principal: Principal | undefined;
    return work({
      here: { services, session, workspace },
      async ask(operation, variables, answer) {
        const { run } = runnerOf(operation);
        principal ??= await toPrincipal(services, workspace, user);
        const data = await run(operation, variables, toScope(principal));
        // Times and the like are written as a service elsewhere writes them.
        return answer.parse(JSON.parse(JSON.stringify(data)));
      },
    });
  });
}

/** Whoever has the shell may do what the workspace's first admin may. */
async function toPrincipal(
  { metadata }: Services,
  workspace: Workspace,
  emailOrId: string | undefined,
): Promise<Principal> {
  const named = emailOrId === undefined ? null : pickUser(await metadata.users.list(workspace.id), emailOrId);
  const { id, email, role, grants, disabledAt } = named ?? (await getFirstAdmin(metadata, workspace));
  if (disabledAt !== null) throw new AppError("conflict", `${email} is disabled.`);
  return {
    workspace,
    security: await metadata.security.get(workspace.id),
    tokenId: null,
    quotaId: COMMAND_LINE,
    actor: { kind: "user", id, name: named === null ? COMMAND_LINE : email },
    role,
    scopes: scopesOf(role),
    grants: new Set(grants),
  };
}

function toScope(principal: Principal): RequestScope {
  const ended = new AbortController();
  return {
    principal,
    requestId: randomUUID(),
    source: COMMAND_LINE,
    signal: ended.signal,
    giveUp: (reason) => ended.abort(reason),
    takePlaces: async () => {},
    nextTurn: async () => {},
  };
}
