/** The paths that are not in the route table: documents, GraphQL, MCP, and the liveness check. */
import { GRAPHQL_PATH } from "../graphql.ts";
import { ALIVE_PATH, READY_PATH } from "../guard/access.ts";
import { mcpOperation } from "../mcp/openapi.ts";
import { MCP_PATH, METADATA_PATHS } from "../mcp/path.ts";
import { type ErrorAnswerName, EVERYWHERE, QUOTA_HEADERS, toErrorRefs, WITH_BODY, WITH_TOKEN } from "./errors.ts";
import { toSecurity } from "./security.ts";
import type { Operation, PathItem, Response } from "./types.ts";

type HeadersOf = (names: readonly string[]) => Response["headers"];

/** The answer to a source that is locked out. */
const OPEN: readonly ErrorAnswerName[] = [...EVERYWHERE, "RateLimited"];

const VALUE = { description: "Null, or as the query asks.", type: ["object", "null"] } as const;

/** @param headersOf refers to header components by their names */
export function pagePaths(headersOf: HeadersOf, parameters: Operation["parameters"]): Record<string, PathItem> {
  const page = (
    type: "text/html" | "application/json",
    words: Pick<Operation, "operationId" | "tags" | "summary" | "description">,
    errors: readonly ErrorAnswerName[] = OPEN,
  ): Operation => ({
    ...words,
    security: [],
    parameters,
    responses: {
      200: { description: "OK.", headers: headersOf([]), content: { [type]: { schema: { type: typeOf(type) } } } },
      ...toErrorRefs(errors),
    },
  });

  return {
    "/": {
      get: {
        operationId: "openRoot",
        tags: ["Documents"],
        summary: "Open the workspace in a browser",
        description: "The page of the workspace UI. A service that runs without it leads to `/docs`.",
        security: [],
        parameters,
        responses: {
          200: { description: "OK.", headers: headersOf([]), content: { "text/html": { schema: { type: "string" } } } },
          302: { description: "Found: `Location` has the path.", headers: headersOf([]), content: {} },
          ...toErrorRefs(OPEN),
        },
      },
    },
    "/docs": {
      get: page("text/html", {
        operationId: "readDocs",
        tags: ["Documents"],
        summary: "Read this documentation",
        description: "This page: the OpenAPI document for people.",
      }),
    },
    "/openapi.json": {
      get: page("application/json", {
        operationId: "readOpenapi",
        tags: ["Documents"],
        summary: "Read the OpenAPI document",
        description: "The document that this page is made from, for programs.",
      }),
    },
    [ALIVE_PATH]: {
      get: page(
        "application/json",
        {
          operationId: "checkAlive",
          tags: ["Health"],
          summary: "Ask whether the process lives",
          description: "Answers 200 with no look at any dependency: for orchestrators that restart what hangs.",
        },
        EVERYWHERE,
      ),
    },
    [READY_PATH]: {
      get: page(
        "application/json",
        {
          operationId: "checkReady",
          tags: ["Health"],
          summary: "Ask whether requests can be served",
          description:
            "Answers 200 if both stores answer, and 503 otherwise or while the server stops: for load balancers.",
        },
        EVERYWHERE,
      ),
    },
    [GRAPHQL_PATH]: {
      get: page("text/html", {
        operationId: "openGraphiql",
        tags: ["GraphQL"],
        summary: "Open GraphiQL",
        description: "An editor for queries, for browsers. A query by `GET` is answered 405.",
      }),
      post: queryOperation(headersOf, parameters),
    },
    [MCP_PATH]: { post: mcpOperation(headersOf, parameters) },
    ...Object.fromEntries(
      METADATA_PATHS.map(({ path, resource }) => [
        path,
        {
          get: page("application/json", {
            operationId: resource === "" ? "readResourceMetadata" : "readMcpMetadata",
            tags: ["Documents"],
            summary: `Read how to sign in to ${resource === "" ? "the service" : "the Model Context Protocol"}`,
            description: "OAuth 2.0 Protected Resource Metadata (RFC 9728).",
          }),
        },
      ]),
    ),
  };
}

const typeOf = (mediaType: string): string => (mediaType === "text/html" ? "string" : "object");

function queryOperation(headersOf: HeadersOf, parameters: Operation["parameters"]): Operation {
  return {
    operationId: "queryGraphql",
    tags: ["GraphQL"],
    summary: "Ask by GraphQL",
    description:
      "Runs one operation. Its root fields say which scope each needs. Errors of the query come as GraphQL's own, in " +
      "`errors`; those of the guard, such as a token that is missing, in the one error body.",
    security: toSecurity("token"),
    parameters,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            type: "object",
            required: ["query"],
            properties: {
              query: { type: "string", description: "The document." },
              operationName: { type: ["string", "null"], description: "Which of its operations to run." },
              variables: { type: ["object", "null"], description: "The values of its variables." },
            },
          },
          example: { query: "{ assets(first: 5) { nodes { fqn } } }" },
        },
      },
    },
    responses: {
      200: {
        description: "The answer of the operation, with the errors that it met.",
        headers: headersOf(QUOTA_HEADERS),
        content: {
          "application/json": {
            schema: {
              type: "object",
              properties: { data: VALUE, errors: { type: "array", items: { type: "object" } } },
            },
            example: { data: { assets: { nodes: [{ fqn: "shop.marts.fct_orders" }] } } },
          },
        },
      },
      ...toErrorRefs([...EVERYWHERE, ...WITH_TOKEN, ...WITH_BODY]),
    },
  };
}
