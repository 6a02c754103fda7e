/** All endpoints that are no rows of the REST table. Each has a handler in `app.ts`, and is in the OpenAPI document. */
import { z } from "zod";

import { AUTH_ENDPOINTS } from "./auth/rows.ts";
import { DATAHUB_ENDPOINTS } from "./datahub/rows.ts";
import type { Endpoint } from "./endpoint.ts";
import { GRAPHQL_ENDPOINTS } from "./graphql/rows.ts";
import { MCP_ENDPOINTS } from "./mcp/rows.ts";
import { NOTICE_ENDPOINTS } from "./notices/rows.ts";
import { OAUTH_ENDPOINTS } from "./oauth/rows.ts";
import { ALIVE_PATH, DOCS_PATH, OPENAPI_PATH, READY_PATH } from "./paths.ts";

const PAGE = { 200: { description: "OK.", schema: z.string(), type: "text/html" } } as const;
const HEALTH = { 200: { description: "OK.", schema: z.object({ status: z.literal("ok") }) } };

const DOCUMENT = { method: "GET", tag: "Documents", access: "public" } as const;
const PROBE = { method: "GET", tag: "Health", access: "exempt", answers: HEALTH } as const;

const PAGE_ENDPOINTS = {
  openRoot: {
    ...DOCUMENT,
    path: "/",
    summary: "Open the workspace in a browser",
    description: "The page of the workspace UI. A service that runs without it redirects to `/docs`.",
    answers: { ...PAGE, 302: { description: "Found: `Location` has the path." } },
  },
  readDocs: {
    ...DOCUMENT,
    path: DOCS_PATH,
    summary: "Read this documentation",
    description: "This page: the OpenAPI document for people.",
    answers: PAGE,
  },
  readOpenapi: {
    ...DOCUMENT,
    path: OPENAPI_PATH,
    summary: "Read the OpenAPI document",
    description: "The document that this page shows, for programs.",
    answers: { 200: { description: "OK.", schema: z.looseObject({}) } },
  },
  checkAlive: {
    ...PROBE,
    path: ALIVE_PATH,
    summary: "Ask whether the process lives",
    description: "Answers 200 and checks no dependency: for orchestrators that restart a process that hangs.",
  },
  checkReady: {
    ...PROBE,
    path: READY_PATH,
    summary: "Ask whether requests can be served",
    description: "Answers 200 if both stores answer, and 503 otherwise or while the server stops: for load balancers.",
  },
} as const satisfies Record<string, Endpoint>;

export const ENDPOINTS = {
  ...OAUTH_ENDPOINTS,
  ...PAGE_ENDPOINTS,
  ...GRAPHQL_ENDPOINTS,
  ...MCP_ENDPOINTS,
  ...DATAHUB_ENDPOINTS,
  ...AUTH_ENDPOINTS,
  ...NOTICE_ENDPOINTS,
} as const;

/** The `operationId` of an endpoint. */
export type EndpointId = keyof typeof ENDPOINTS;
