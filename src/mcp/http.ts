/** Streamable HTTP without sessions: each request contains one message, and the answer is JSON. */
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { z } from "zod";

import { excerpt } from "../characters.ts";
import { createMcpServer, type McpContext } from "./server.ts";

const MAX_ERROR_CHARACTERS = 2_000;
const MAX_ID_CHARACTERS = 200;

const messageId = z.union([z.string(), z.number()]).nullable().catch(null);
const named = z.object({ method: z.unknown(), id: messageId }).partial();
const errorBody = z.object({ error: z.object({ code: z.number(), message: z.string() }), id: messageId });

export interface McpAnswer {
  status: number;
  contentType: string | null;
  body: string;
}

/**
 * Answers one message of the protocol, in revision 2026-07-28 or an older one.
 * @param message the parsed body
 * @param headers the request's headers
 */
export async function answerMessage(
  message: unknown,
  headers: Readonly<Record<string, string>>,
  context: McpContext,
): Promise<McpAnswer> {
  const refused = refuse(message);
  if (refused !== null) return refused;
  // The SDK only reads the headers. It need not know when the client disconnects, because then the tool's queries fail.
  const request = new Request("http://service/mcp", { method: "POST", headers });
  const options = { parsedBody: message };
  const response = (await isLegacyRequest(request, message))
    ? await answerOlderRevision(request, options, context)
    : await answerNewestRevision(request, options, context);
  // Waits for the whole answer, so that the request's time limit and its token's limit of concurrent requests apply.
  const body = await response.text();
  const { status } = response;
  if (status >= 400 && body.length > MAX_ERROR_CHARACTERS) return shortenError(status, body);
  return { status, contentType: response.headers.get("content-type"), body };
}

type Options = Readonly<{ parsedBody: unknown }>;

async function answerNewestRevision(request: Request, options: Options, context: McpContext): Promise<Response> {
  let fault: unknown;
  const onerror = (error: unknown): void => {
    fault = error;
  };
  const handler = createMcpHandler(() => createMcpServer(context), { legacy: "reject", keepAliveMs: 0, onerror });
  const response = await handler.fetch(request, options);
  // All other errors are the client's fault.
  if (response.status >= 500) context.report(fault);
  return response;
}

/** Errors of the SDK may repeat text that the client sent, such as an unknown revision. */
function shortenError(status: number, body: string): McpAnswer {
  const { error, id } = errorBody.parse(JSON.parse(body));
  return toRefusal(status, error.code, excerpt(error.message), id);
}

async function answerOlderRevision(request: Request, options: Options, context: McpContext): Promise<Response> {
  const server = createMcpServer(context);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true, keepAliveMs: 0 });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, options);
  } finally {
    await server.close();
  }
}

/** Refuses messages that the SDK would accept: batches, subscriptions (their streams never end), and very long ids. */
function refuse(message: unknown): McpAnswer | null {
  const { InvalidRequest, MethodNotFound } = ProtocolErrorCode;
  if (Array.isArray(message)) {
    return toRefusal(400, InvalidRequest, "A request holds one message: batches are not taken.", null);
  }
  const { method, id = null } = named.safeParse(message).data ?? {};
  if (typeof id === "string" && id.length > MAX_ID_CHARACTERS) {
    return toRefusal(400, InvalidRequest, `An id may have at most ${MAX_ID_CHARACTERS} characters.`, null);
  }
  return method === "subscriptions/listen" ? toRefusal(404, MethodNotFound, "Method not found", id) : null;
}

function toRefusal(status: number, code: number, message: string, id: string | number | null): McpAnswer {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id });
  return { status, contentType: "application/json", body };
}
