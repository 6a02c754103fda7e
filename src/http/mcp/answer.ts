/** `POST /mcp`: the Model Context Protocol, behind the same guard as everything else. */
import { type DocumentNode, getOperationAST } from "graphql";
import type { Logger } from "pino";

import type { RefusalTrail } from "../../auth/refusals.ts";
import { AppError } from "../../errors.ts";
import { authorize } from "../../graphql/authorize.ts";
import type { OperationRunner } from "../../graphql/run-operation.ts";
import type { McpContext } from "../../mcp/server.ts";
import { parseJson, readJsonText } from "../body/json-body.ts";
import type { Check, Middleware, RestContext } from "../state.ts";
import { MCP_SCOPE, toChallenge } from "./metadata.ts";

interface McpParts {
  runner: OperationRunner;
  operations: ReadonlyMap<string, DocumentNode>;
  refusals: RefusalTrail;
  lookAgain: Check;
  publicUrl: () => string;
  log: Logger;
}

export function answerMcp(parts: McpParts): Middleware {
  const { lookAgain, refusals, publicUrl } = parts;
  return async (ctx) => {
    await authorize(ctx.state, MCP_SCOPE, refusals).catch((refusal: unknown) => {
      ctx.set("WWW-Authenticate", toChallenge(publicUrl(), "insufficient_scope"));
      throw refusal;
    });
    const message = await readMessage(ctx, lookAgain);
    // Most services answer no agents, and the SDK takes some megabytes.
    const { answerMessage } = await import("../../mcp/http.ts");
    const asker = createAsker(ctx, parts);
    const { status, contentType, body } = await answerMessage(message, headersOf(ctx), asker.context);
    const ending = asker.ending();
    if (ending !== null) throw ending;
    ctx.status = status;
    if (contentType !== null) ctx.set("Content-Type", contentType);
    ctx.body = body;
  };
}

/** Reads and parses the body, and checks the token again if the body came late. */
async function readMessage(ctx: RestContext, lookAgain: Check): Promise<unknown> {
  try {
    return parseJson(await readJsonText(ctx));
  } finally {
    await lookAgain(ctx);
  }
}

/** Makes the context in which tools ask, with the rights of the request's token. */
function createAsker(
  { state }: RestContext,
  { runner, operations, log }: McpParts,
): { context: McpContext; ending: () => AppError | null } {
  let ending: AppError | null = null;
  // The guard has counted one request already.
  let counted = 1;
  const ask: McpContext["ask"] = async (operation, variables) => {
    try {
      const units = countRootFields(operations, operation) - counted;
      counted = Math.max(0, -units);
      if (units > 0) await state.takeUnits(units);
      // The runner has checked the operation against the schema, from which the type of its answer follows.
      return (await runner.run(operation, variables, state)) as never;
    } catch (error) {
      if (error instanceof AppError && endsAnswer(error)) ending = error;
      throw error;
    }
  };
  const report = (err: unknown): void => log.error({ err, requestId: state.requestId }, "unexpected error in a tool");
  return { context: { ask, nextTurn: state.nextTurn, report }, ending: () => ending };
}

/** Errors that end the HTTP request with their status, because the client must wait or sign in. A model can react to all others. */
function endsAnswer({ code }: AppError): boolean {
  return code === "rate_limited" || code === "unavailable" || code === "unauthorized";
}

/** The headers of the protocol. Body and answer are always JSON, so other media types are not passed on. */
function headersOf({ req }: RestContext): Record<string, string> {
  const known = Object.entries(req.headers).filter(
    (header): header is [string, string] => header[0].startsWith("mcp-") && typeof header[1] === "string",
  );
  const accept = "application/json, text/event-stream";
  return { ...Object.fromEntries(known), accept, "content-type": "application/json" };
}

/**
 * Counts how many requests an operation is worth: as many as at `/graphql`.
 * @throws Error if there is no such operation
 */
function countRootFields(operations: ReadonlyMap<string, DocumentNode>, name: string): number {
  const document = operations.get(name);
  const operation = document && getOperationAST(document, name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  return operation.selectionSet.selections.length;
}
