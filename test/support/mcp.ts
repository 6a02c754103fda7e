/** Clients of the Model Context Protocol: the official one, and one for raw messages. */
import { fileURLToPath } from "node:url";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import type { RunningApp } from "./app.ts";
import { COMPILED } from "./command-line.ts";
import { at, createRestClient, type Json } from "./rest-client.ts";

const BIN = fileURLToPath(new URL("../../bin/tributary.js", import.meta.url));

/** The revisions of the protocol: the newest, and those before it. */
export type Era = "auto" | "legacy";

const createClient = (mode: Era): Client =>
  new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });

export async function connectByHttp(
  { url, token }: Pick<RunningApp, "url" | "token">,
  era: Era = "auto",
): Promise<Client> {
  const client = createClient(era);
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return client;
}

/** Starts `tributary mcp` as clients do. */
export async function connectByStdio(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  era: Era = "auto",
): Promise<Client> {
  const client = createClient(era);
  const PATH = process.env["PATH"] ?? "";
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [BIN, "mcp", ...args],
      env: { PATH, NODE_COMPILE_CACHE: COMPILED, ...env },
      stderr: "ignore",
    }),
  );
  return client;
}

/**
 * The answer of a tool, as JSON.
 * @throws Error with the tool's refusal
 */
export async function callTool(client: Client, name: string, given: Record<string, unknown> = {}): Promise<Json> {
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: given });
  const [first] = content;
  const text = first?.type === "text" ? first.text : "";
  if (isError === true) throw new Error(text);
  if (JSON.stringify(structuredContent) !== text) throw new Error("the text is not what the structure says");
  return JSON.parse(text);
}

/** All items of a tool's answer, page after page. */
export async function callToTheEnd(
  client: Client,
  name: string,
  given: Record<string, unknown>,
): Promise<{ items: Json[]; pages: Json[] }> {
  const pages: Json[] = [];
  const items: Json[] = [];
  for (let cursor: Json = undefined; cursor !== null;) {
    const page: Json = await callTool(client, name, { ...given, ...(cursor !== undefined && { cursor }) });
    const found = at(page, "items");
    if (Array.isArray(found)) items.push(...found);
    pages.push(page);
    cursor = at(page, "nextCursor") ?? null;
  }
  return { items, pages };
}

/** Sends one raw message of an older revision. */
export function createRawMcp(running: Pick<RunningApp, "url" | "token">) {
  const ask = createRestClient(running);
  return (message: unknown, headers: Record<string, string> = {}) =>
    ask("/mcp", { method: "POST", headers, body: typeof message === "string" ? message : JSON.stringify(message) });
}

/** A request of the protocol. */
export function request(method: string, params: Record<string, unknown> = {}) {
  return { jsonrpc: "2.0", id: 1, method, params };
}
