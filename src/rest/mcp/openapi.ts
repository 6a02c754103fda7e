/** `POST /mcp` in the OpenAPI document. `tools/list` gives the schemas of its messages. */
import { EVERYWHERE, QUOTA_HEADERS, toErrorRefs, WITH_BODY, WITH_TOKEN } from "../openapi/errors.ts";
import { toSecurity } from "../openapi/security.ts";
import type { JsonSchema, Operation, Response } from "../openapi/types.ts";
import { MCP_SCOPE } from "./path.ts";

const MESSAGE: JsonSchema = {
  type: "object",
  required: ["jsonrpc", "method"],
  properties: {
    jsonrpc: { type: "string", enum: ["2.0"] },
    id: { type: ["string", "integer"], description: "Left out of a notification, which is answered 202." },
    method: { type: "string", description: "Such as `tools/list` or `tools/call`." },
    params: { type: "object" },
  },
};

const ANSWER: JsonSchema = {
  type: "object",
  required: ["jsonrpc", "id"],
  properties: {
    jsonrpc: { type: "string", enum: ["2.0"] },
    id: { type: ["string", "integer", "null"] },
    result: { type: "object" },
    error: { type: "object" },
  },
};

/** @param headersOf refers to header components by their names */
export function mcpOperation(
  headersOf: (names: readonly string[]) => Response["headers"],
  parameters: Operation["parameters"],
): Operation {
  return {
    operationId: "callMcp",
    tags: ["Agents"],
    summary: "Speak the Model Context Protocol",
    description:
      "Streamable HTTP without sessions: one JSON-RPC message a request. For agents that look things up by tools; " +
      "`tools/list` tells which there are. What a tool refuses is told in its result, what the guard refuses in the one error body; other errors " +
      "are JSON-RPC's own.",
    security: toSecurity(MCP_SCOPE),
    parameters,
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: MESSAGE, example: { jsonrpc: "2.0", id: 1, method: "tools/list" } },
      },
    },
    responses: {
      200: {
        description: "The answer to a request.",
        headers: headersOf(QUOTA_HEADERS),
        content: {
          "application/json": { schema: ANSWER, example: { jsonrpc: "2.0", id: 1, result: { tools: [] } } },
        },
      },
      202: { description: "A notification was taken.", headers: headersOf(QUOTA_HEADERS), content: {} },
      ...toErrorRefs([...EVERYWHERE, ...WITH_TOKEN, ...WITH_BODY, "NotFound"]),
    },
  };
}
