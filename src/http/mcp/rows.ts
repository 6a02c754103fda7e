/** The Model Context Protocol, and how to sign in to it. `tools/list` gives the schemas of its messages. */
import { z } from "zod";

import { type Endpoint, errorBody } from "../endpoint.ts";
import { MCP_PATH } from "../paths.ts";
import { MCP_SCOPE, METADATA_PATHS } from "./metadata.ts";

const version = z.literal("2.0");

const message = z.object({
  jsonrpc: version,
  id: z
    .union([z.string(), z.int()])
    .optional()
    .meta({ description: "Left out of a notification, which is answered 202." }),
  method: z.string().meta({ description: "Such as `tools/list` or `tools/call`." }),
  params: z.looseObject({}).optional(),
});

const answer = z.object({
  jsonrpc: version,
  id: z.union([z.string(), z.int(), z.null()]),
  result: z.looseObject({}).optional(),
  error: z.looseObject({}).optional(),
});

const failure = z.object({
  ...answer.pick({ jsonrpc: true, id: true }).shape,
  error: z.looseObject({ code: z.int(), message: z.string() }),
});

const METADATA = {
  method: "GET",
  tag: "Documents",
  description: "OAuth 2.0 Protected Resource Metadata (RFC 9728).",
  access: "public",
  answers: {
    200: {
      description: "OK.",
      schema: z.object({
        resource: z.string(),
        resource_name: z.string(),
        scopes_supported: z.array(z.string()),
        bearer_methods_supported: z.array(z.string()),
        resource_documentation: z.string(),
      }),
    },
  },
} as const satisfies Partial<Endpoint>;

export const MCP_ENDPOINTS = {
  callMcp: {
    method: "POST",
    path: MCP_PATH,
    tag: "Agents",
    summary: "Speak the Model Context Protocol",
    description:
      "Streamable HTTP without sessions: one JSON-RPC message a request. For agents that look things up by tools; " +
      "`tools/list` lists them. An error of a tool is in its result. An error of the guard, such as a missing token, has the " +
      "one error body. Other errors are JSON-RPC's own.",
    access: MCP_SCOPE,
    absent: true,
    body: { schema: message, example: { jsonrpc: "2.0", id: 1, method: "tools/list" } },
    answers: {
      200: {
        description: "The answer to a request.",
        schema: answer,
        example: { jsonrpc: "2.0", id: 1, result: { tools: [] } },
      },
      202: { description: "The answer to a notification." },
      400: {
        description: "The message is faulty: an error of JSON-RPC. Or the request is: the one error body.",
        schema: z.union([failure, errorBody]),
      },
      404: {
        description: "There is no such method: an error of JSON-RPC. Or nothing with a name: the one error body.",
        schema: z.union([failure, errorBody]),
      },
    },
  },
  readResourceMetadata: { ...METADATA, path: METADATA_PATHS.service, summary: "Read how to sign in to the service" },
  readMcpMetadata: {
    ...METADATA,
    path: METADATA_PATHS.mcp,
    summary: "Read how to sign in to the Model Context Protocol",
  },
} as const satisfies Record<string, Endpoint>;
