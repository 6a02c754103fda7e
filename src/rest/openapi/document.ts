/** Builds the OpenAPI document from the route table, the operations and the GraphQL schema. */
import type { Requirement } from "../../auth/permissions.ts";
import { getOperation, getRequirement, type OperationSources } from "../operation.ts";
import { type Route, TAGS } from "../route.ts";
import { type Components, toAnswerSchema } from "./answer-schema.ts";
import { AUTH_SCHEMAS, authPaths } from "../auth/openapi.ts";
import { OAUTH_SCHEMAS, oauthResponses, tokenOperation } from "../oauth/openapi.ts";
import { TOKEN_PATH } from "../oauth/path.ts";
import {
  ERROR_SCHEMA,
  errorResponses,
  EVERYWHERE,
  QUOTA_HEADERS,
  toErrorRefs,
  WITH_BODY,
  WITH_TOKEN,
} from "./errors.ts";
import { toJsonSchema, toParameters, toRequestBody } from "./input-schema.ts";
import { pagePaths } from "./pages.ts";
import { SECURITY_SCHEMES, toSecurity } from "./security.ts";
import type { JsonSchema, OpenapiDocument, Operation, PathItem, Reference, Response } from "./types.ts";

export interface OpenapiSources extends OperationSources {
  routes: readonly Route[];
  version: string;
  /** The origin at which clients reach the service. */
  origin: string;
}

const DESCRIPTION = [
  "Browse and search the catalog's assets, walk their lineage, read metric definitions, and crawl connectors.",
  "Every request but health carries `Authorization: Bearer <token>`, and sees its token's workspace alone.",
  "Times are ISO 8601 in UTC, ids are opaque. No key is ever left out: unknown text is empty, unknown times are null.",
  "A parameter out of range, unknown or repeated is an error, never guessed at.",
  "The same catalog, asset and nested lineage in one query, is at `/graphql`.",
].join(" ");

const TAG_DESCRIPTIONS: Record<(typeof TAGS)[number], string> = {
  Catalog: "Tables, models, dashboards, pipelines and columns.",
  Lineage: "What an asset is made from, and what is made from it.",
  Metrics: "What the business measures, and its certification.",
  Agents: "Questions in people's words, answered with citations.",
  Connectors: "Where metadata comes from, and the crawls that fetch it.",
  Tokens: "How a service account gets its access tokens, which are sent as API keys are.",
  Login: "How people log in and out with a browser. Sessions work here and at `/graphql` alone.",
  GraphQL: "The same catalog in one query, nested as deep as it goes.",
  Health: "Open to monitors, without a token.",
  Documents: "What the service says of itself. Open to everybody.",
};

const headerRefs = (names: readonly string[]): Response["headers"] =>
  Object.fromEntries(["X-Request-Id", ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export function buildOpenapi(sources: OpenapiSources): OpenapiDocument {
  const { routes, operations, schema, version, origin } = sources;
  const components: Components = { Error: ERROR_SCHEMA, ...OAUTH_SCHEMAS, ...AUTH_SCHEMAS };
  const paths: Record<string, PathItem> = { [TOKEN_PATH]: { post: tokenOperation(headerRefs, [REQUEST_ID_REF]) } };
  for (const route of routes) {
    const document = operations.get(route.operation);
    if (document === undefined) throw new Error(`${route.path} has no operation ${route.operation}.`);
    const operation = getOperation(route, operations);
    const answer = route.report
      ? toJsonSchema(route.report.schema, "output")
      : toAnswerSchema(schema, document, operation, components);
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: toOperation(route, answer, getRequirement(route, sources)),
    };
  }
  Object.assign(paths, pagePaths(headerRefs, [REQUEST_ID_REF]), authPaths(headerRefs, [REQUEST_ID_REF]));
  return {
    openapi: "3.1.1",
    info: {
      title: "Tributary",
      version,
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: origin }],
    tags: TAGS.map((name) => ({ name, description: TAG_DESCRIPTIONS[name] })),
    paths,
    components: {
      schemas: components,
      responses: { ...errorResponses(headerRefs), ...oauthResponses(headerRefs) },
      parameters: { RequestId: REQUEST_ID },
      headers: { ...HEADERS, ...verdictHeaders(routes) },
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const WORDS = { 200: "OK.", 201: "Created.", 202: "Accepted.", 204: "Accepted; no body." } as const;

function toOperation(route: Route, answer: JsonSchema, requirement: Requirement): Operation {
  const { report, operation, operationId = `${operation.charAt(0).toLowerCase()}${operation.slice(1)}` } = route;
  const requestBody = toRequestBody(route);
  const { otherwise } = route;
  const otherHeaders = otherwise?.retryAfterSeconds === undefined ? [] : (["Retry-After"] as const);
  const ok = (description: string, further: Parameters<typeof headerRefs>[0] = []): Response => ({
    description,
    headers: {
      ...headerRefs([...(requirement === "nothing" ? [] : QUOTA_HEADERS), ...further]),
      ...(report && { [report.verdict.header]: { $ref: `#/components/headers/${report.verdict.header}` } }),
    },
    content: {
      "application/json": { schema: answer, example: route.example },
      ...(report && {
        "text/markdown": { schema: { type: "string" }, example: report.markdown.example },
      }),
    },
  });
  return {
    operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    security: toSecurity(requirement),
    parameters: [...toParameters(route), REQUEST_ID_REF],
    ...(route.exampleSubject !== undefined && { "x-example-subject": route.exampleSubject }),
    ...(requestBody && { requestBody }),
    responses: {
      ...errorsOf(route, requirement),
      [route.status]: route.status === 204 ? { ...ok(WORDS[204]), content: {} } : ok(WORDS[route.status]),
      // The 503 of health has a different body.
      ...(otherwise && { [otherwise.status]: ok(otherwise.description, otherHeaders) }),
    },
  };
}

function errorsOf({ input, absent, conflicts }: Route, requirement: Requirement): Record<string, Reference> {
  const hasBody = input.body !== undefined || input.upload !== undefined;
  return toErrorRefs([
    ...EVERYWHERE,
    ...(requirement === "nothing" ? [] : WITH_TOKEN),
    ...(absent === undefined ? [] : (["NotFound"] as const)),
    ...(conflicts ? (["Conflict"] as const) : []),
    ...(hasBody ? WITH_BODY : []),
  ]);
}

function verdictHeaders(routes: readonly Route[]): OpenapiDocument["components"]["headers"] {
  return Object.fromEntries(
    routes.flatMap(({ report }) => {
      if (report === undefined) return [];
      const { header, description } = report.verdict;
      return [[header, { description, schema: { type: "string", enum: ["pass", "fail"] } }]];
    }),
  );
}

const REQUEST_ID = {
  name: "X-Request-Id",
  in: "header",
  required: false,
  description: "A UUID of the caller's; echoed in the answer.",
  schema: { type: "string", format: "uuid" },
} as const;

const REQUEST_ID_REF = { $ref: "#/components/parameters/RequestId" } as const;

const HEADERS = {
  "X-Request-Id": {
    description: "The request's UUID: the caller's own, or a fresh one.",
    schema: { type: "string", format: "uuid" },
  },
  "WWW-Authenticate": { description: "`Bearer`; at the token endpoint `Basic`.", schema: { type: "string" } },
  "X-RateLimit-Limit": { description: "Requests in any 60 seconds.", schema: { type: "integer", minimum: 1 } },
  "X-RateLimit-Remaining": { description: "Requests that are left now.", schema: { type: "integer", minimum: 0 } },
  "X-RateLimit-Reset": {
    description: "When the oldest counted request stops to count: seconds since 1970, UTC.",
    schema: { type: "integer" },
  },
  Allow: { description: "The methods that the path takes.", schema: { type: "string" } },
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 1 } },
} as const;
