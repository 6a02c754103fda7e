/**
 * The GraphQL client of commands. It runs operations of `schema/commands` and `schema/tools` on the data folder in this process, or sends
 * them to a service elsewhere. Both give the same answers.
 */
import { randomUUID } from "node:crypto";

import type { Command } from "commander";
import { z } from "zod";

import { COMMAND_LINE } from "../auth/origin.ts";
import { scopesOf } from "../auth/permissions.ts";
import type { Principal } from "../auth/principal.ts";
import { AppError, unavailable } from "../errors.ts";
import type { RequestScope } from "../graphql/context.ts";
import type { OperationRunner } from "../graphql/run-operation.ts";
import type { Workspace } from "../metadata/records.ts";
import type { Services } from "../services.ts";
import { readSettings } from "../settings/settings.ts";
import { DEFAULT_WORKSPACE, getFirstAdmin } from "./start/workspace.ts";
import { isCode, parseOrNull, post, type ServerOptions, toAddress, toRefusal, toRetryAfter } from "./server.ts";
import { readOperationTexts } from "./operation-text.ts";
import type { Answer, Found, Operation } from "./operations.ts";
import type { Session } from "./session.ts";

export interface ClientOptions {
  workspace?: string;
  server?: string;
  token?: string;
  allowHttp?: boolean;
  /** The user for whom a command acts: an e-mail address or id. Default: the operator. */
  user?: string;
}

type Variables = Readonly<Record<string, unknown>>;
type Run = (operation: string, variables: Variables, signal?: AbortSignal) => Promise<unknown>;

export interface Client {
  /**
   * Runs an operation of `schema/commands` and `schema/tools` that may find nothing.
   * @param signal breaks off a request to a service elsewhere. What runs on the data folder goes on.
   * @throws AppError if the service refuses it; `unavailable` if it cannot be reached or the request is broken off. If
   *   the service says when to try again, `retryAfterSeconds` has it
   */
  find<Name extends Operation>(operation: Name, variables: Variables, signal?: AbortSignal): Promise<Found<Name>>;
  /** The same. @throws AppError `not_found` as well, if it finds nothing */
  ask<Name extends Operation>(operation: Name, variables: Variables): Promise<Answer<Name>>;
  /** The opened data folder and its services. Null if the client uses a service elsewhere. */
  here: { services: Services; session: Session; workspace: Workspace } | null;
}

/** Adds the options that choose the data folder or a service. */
export function addClientOptions(command: Command): Command {
  return command
    .option("-w, --workspace <name>", `the workspace to work in (default: "${DEFAULT_WORKSPACE}")`)
    .option("--server <url>", "use a running service instead of the data folder; or set TRIBUTARY_URL")
    .option("--token <token>", "with --server: a token; better set TRIBUTARY_TOKEN")
    .option("--allow-http", "with --server: permit sending the token over plain http to another machine");
}

/**
 * Uses the service in the options or in TRIBUTARY_URL. If there is none, uses the data folder.
 * @param waits true if the work does not need the graph, and goes on even if a graph store on another machine is down
 */
export async function withClient<T>(
  options: ClientOptions,
  work: (client: Client) => Promise<T>,
  waits = false,
): Promise<T> {
  const server = toServer(options);
  return server === null ? withDataFolder(options, work, waits) : work(createRemoteClient(server));
}

/**
 * Returns the service in the options or the environment. Returns null for the data folder.
 * @throws AppError `bad_request` if the options contradict each other
 */
export function toServer({ workspace, user, allowHttp = false, ...options }: ClientOptions): ServerOptions | null {
  const settings = readSettings().server;
  const { server = settings.url, token = settings.token } = options;
  if (server === null) {
    if (options.token === undefined && !allowHttp) return null;
    throw new AppError("bad_request", "--token and --allow-http need --server.");
  }
  if (token === null) throw new AppError("bad_request", "A service needs --token or TRIBUTARY_TOKEN.");
  if (workspace !== undefined) {
    throw new AppError("bad_request", "--workspace is for the data folder: a token belongs to one workspace.");
  }
  if (user !== undefined) {
    throw new AppError("bad_request", "--user is for the data folder: a service knows you by your token.");
  }
  return { server, token, allowHttp };
}

function createClient(here: Client["here"], run: Run): Client {
  return {
    here,
    // The service answers as the text of the operation says, which it has checked against its schema.
    find: (operation, variables, signal) => run(operation, variables, signal) as Promise<never>,
    async ask(operation, variables) {
      return requireAll((await run(operation, variables)) as Record<string, unknown>) as never;
    },
  };
}

/** @throws AppError `not_found` if a field of the answer is null */
function requireAll(answer: Record<string, unknown>): Record<string, unknown> {
  if (Object.values(answer).includes(null)) throw new AppError("not_found", "It is no longer there.");
  return answer;
}

const faults = z.array(z.object({ field: z.string(), message: z.string() }));

/** The shape of every GraphQL answer. */
const envelope = z.object({
  data: z.record(z.string(), z.unknown()).nullable(),
  errors: z.array(
    z.object({
      message: z.string(),
      extensions: z.object({ code: z.string(), details: z.unknown() }).partial().optional(),
    }),
  ),
});

function createRemoteClient(options: ServerOptions): Client {
  const url = toAddress(options, "/graphql");
  const textOf = readOperationTexts();
  return createClient(null, async (operation, variables, signal) => {
    const { response, text } = await post(url, options.token, {
      headers: { Accept: "application/json", "Content-Type": "application/json" },
      body: JSON.stringify({ query: textOf(operation), variables }),
      signal,
    });
    return readAnswer(url, response, text);
  });
}

/**
 * Asks a running service with files, as a form by the GraphQL multipart request specification, compressed.
 * @param files by the variables that take them
 */
export async function askWithFiles<Name extends Operation>(
  options: ServerOptions,
  operation: Name,
  { files, ...variables }: { files: Readonly<Record<string, Blob>> } & Readonly<Record<string, unknown>>,
): Promise<Answer<Name>> {
  const url = toAddress(options, "/graphql");
  const names = Object.keys(files);
  const form = new FormData();
  const nulls = Object.fromEntries(names.map((name) => [name, null]));
  form.set(
    "operations",
    JSON.stringify({ query: readOperationTexts()(operation), variables: { ...variables, ...nulls } }),
  );
  form.set("map", JSON.stringify(Object.fromEntries(names.map((name) => [name, [`variables.${name}`]]))));
  for (const [name, file] of Object.entries(files)) form.set(name, file, `${name}.json`);
  const { body: plain, headers } = new Response(form);
  const body = await new Response(plain?.pipeThrough(new CompressionStream("gzip"))).bytes();
  const { response, text } = await post(url, options.token, {
    headers: {
      Accept: "application/json",
      "Content-Type": headers.get("Content-Type") ?? "",
      "Content-Encoding": "gzip",
    },
    body,
  });
  return requireAll(readAnswer(url, response, text)) as Answer<Name>;
}

/** @throws AppError the first error of the answer, or `unavailable` if it is none of Tributary */
function readAnswer(url: URL, response: Response, text: string): Record<string, unknown> {
  const { data: body } = envelope.partial().safeParse(parseOrNull(text));
  const [first] = body?.errors ?? [];
  if (first !== undefined) {
    const code = first.extensions?.code?.toLowerCase() ?? "";
    const { data: details } = faults.safeParse(first.extensions?.details);
    throw new AppError(isCode(code) ? code : "internal_error", first.message, {
      ...(details && { details }),
      ...toRetryAfter(response),
    });
  }
  if (response.status !== 200) throw toRefusal(url, response, text);
  if (body?.data) return body.data;
  throw unavailable(`${url.origin} answers in a form that this version does not understand.`);
}

async function withDataFolder<T>(
  { workspace: name = DEFAULT_WORKSPACE, user }: ClientOptions,
  work: (client: Client) => Promise<T>,
  waits: boolean,
): Promise<T> {
  // Loaded only here, because it is not needed for a service elsewhere.
  const { withServices } = await import("./session.ts");
  return withServices({ workspace: name, waits }, async (services, workspace, session) => {
    const { schema } = await import("../graphql/schema.ts");
    const { createOperationRunner } = await import("../graphql/run-operation.ts");
    const { readOperations } = await import("../graphql/operations.ts");
    const commands = readOperations(["commands"]);
    const tools = readOperations(["tools"]);
    let forTools: OperationRunner | undefined;
    // A command runs one or two operations of its own. `tributary mcp` runs any operation of the tools, many times.
    const runnerOf = (operation: string): OperationRunner =>
      tools.has(operation)
        ? (forTools ??= createOperationRunner(schema, services, tools))
        : createOperationRunner(schema, services, new Map([...commands].filter(([each]) => each === operation)));
    let principal: Principal | undefined;
    const client = createClient({ services, session, workspace }, async (operation, variables) => {
      const { run } = runnerOf(operation);
      principal ??= await toPrincipal(services, workspace, user);
      const data = await run(operation, variables, toScope(principal));
      // Converts times and other values to JSON, as a service elsewhere does.
      return JSON.parse(JSON.stringify(data));
    });
    return work(client);
  });
}

/** @throws AppError `not_found` */
export function pickUser<T extends { id: string; email: string }>(users: readonly T[], emailOrId: string): T {
  const found = users.find(({ id, email }) => id === emailOrId || email === emailOrId);
  if (found !== undefined) return found;
  throw new AppError("not_found", `There is no person ${emailOrId}; tributary person list shows all people.`);
}

/** The operator has the permissions of the workspace's first admin. */
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
    networks: [],
    tokenId: null,
    session: null,
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
    takeUnits: async () => {},
    nextTurn: async () => {},
  };
}
