/** Builds the OpenAPI document from the route table, the operations and the GraphQL schema. */
import type { Requirement } from "../../auth/permissions.ts";
import { type Endpoint, TAGS } from "../../http/endpoint.ts";
import { ENDPOINTS } from "../../http/endpoints.ts";
import { URN_PATTERN } from "../../connectors/datahub/urn.ts";
import { getOperation, getRequirement, type OperationSources } from "../operation.ts";
import type { Route } from "../route.ts";
import { type Components, toAnswerSchema } from "./answer-schema.ts";
import {
  ERROR_SCHEMA,
  errorResponses,
  EVERYWHERE,
  headerRefs,
  OAUTH_ERROR_SCHEMA,
  QUOTA_HEADERS,
  toErrorRefs,
  WITH_BODY,
  WITH_TOKEN,
} from "./errors.ts";
import { toSample } from "./curl.ts";
import { describeEndpoint } from "./endpoints.ts";
import { toJsonSchema, toParameters, toRequestBody } from "./input-schema.ts";
import { SECURITY_SCHEMES, toSecurity } from "./security.ts";
import type { JsonSchema, OpenapiDocument, Operation, Parameter, PathItem, Reference, Response } from "./types.ts";

export interface OpenapiSources extends OperationSources {
  routes: readonly Route[];
  version: string;
  /** The origin at which clients reach the service. Null: the document fits every service, and has no curl lines. */
  origin: string | null;
}

/** The introduction, in Markdown. */
const toIntroduction = (origin: string): string => `\
Browse and search the catalog's assets, walk their lineage, read metric definitions, and sync connectors.
The same catalog is at [GraphQL](/graphql), where one query can nest assets and lineage.
In the [workspace](/), people [make keys](/settings/api).

# Getting started
Every request but health needs \`Authorization: Bearer <token>\`, and sees only the workspace of its token.
Put an API key, or the [access token](#tag/Tokens/operation/requestToken) of a service account, into \`$TOKEN\`.
Then copy any curl line of this page.
Its ids are those of the sample. The id of a connector differs: the list of connectors has it.

\`\`\`shell
export TOKEN=svc_live_…
curl -H "Authorization: Bearer $TOKEN" \\
  "${origin}/api/v1/catalog/assets?limit=5"
\`\`\`

# Pages of lists
While \`pagination.has_more\` is true, send \`pagination.next_cursor\` back as \`cursor\`, with the same filters.

# Values
Times are ISO 8601 in UTC, and ids are opaque. No key is ever left out: unknown text is empty, and unknown times are null.
A parameter that is out of range, unknown or repeated is an error.

# Errors
Every error has the same body: a code, a sentence, and details if there are any.
Quote the answer's \`X-Request-Id\` when you report one.
`;

const TAG_DESCRIPTIONS: Record<(typeof TAGS)[number], string> = {
  Catalog: "Tables, models, dashboards, pipelines and columns.",
  Lineage: "The assets that feed an asset, and the assets that it feeds.",
  Metrics: "What the business measures, and its certification.",
  Agents: "Questions in plain English, answered with citations.",
  Connectors: "The sources of metadata, and the syncs that read them.",
  Tokens: "How a service account gets its access tokens, which are sent as API keys are.",
  Login: "How people log in and out with a browser. Sessions work only here and at `/graphql`.",
  GraphQL: "The same catalog, where one query can nest assets and lineage.",
  Health: "Open to monitors, without a token.",
  Documents: "Documents about the service. Open to everybody.",
};

export function buildOpenapi(sources: OpenapiSources): OpenapiDocument {
  const { routes, operations, schema, version, origin } = sources;
  const components: Components = { Error: ERROR_SCHEMA, OauthError: OAUTH_ERROR_SCHEMA };
  const paths: Record<string, PathItem> = {};
  const add = (method: Endpoint["method"], path: string, operation: Operation): void => {
    const sample = origin === null ? {} : toSample({ method, path, operation }, origin);
    paths[path] = { ...paths[path], [method.toLowerCase()]: { ...operation, ...sample } };
  };
  for (const route of routes) {
    const document = operations.get(route.operation);
    if (document === undefined) throw new Error(`${route.path} has no operation ${route.operation}.`);
    const operation = getOperation(route, operations);
    const answer = route.report
      ? toJsonSchema(route.report.schema, "output")
      : toAnswerSchema(schema, document, operation, components);
    add(route.method, toTemplate(route.path), toOperation(route, answer, getRequirement(route, sources)));
  }
  for (const [id, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
    const parameters = [REQUEST_ID_REF, ...parametersOf(endpoint)];
    add(endpoint.method, toTemplate(endpoint.path), describeEndpoint(id, endpoint, components, parameters));
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Tributary",
      version,
      description: toIntroduction(origin ?? ""),
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: origin ?? "/" }],
    tags: TAGS.map((name) => ({ name, description: TAG_DESCRIPTIONS[name] })),
    paths,
    components: {
      schemas: components,
      responses: errorResponses(),
      parameters: { RequestId: REQUEST_ID },
      headers: { ...HEADERS, ...reportHeaders(routes) },
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

function toTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}

function parametersOf({ parameters = {}, choice }: Endpoint): NonNullable<Operation["parameters"]> {
  const inPath = Object.entries(parameters).map(([name, description]): Parameter => {
    const schema = name === "urn" ? { type: "string", pattern: URN_PATTERN } : { type: "string" };
    return { name, in: "path", required: true, description, schema };
  });
  if (choice === undefined) return inPath;
  const { words, ...named } = choice;
  return [...inPath, { ...named, in: "query", required: true, schema: { type: "string", enum: [...words] } }];
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
      ...Object.fromEntries(
        (report?.headers ?? []).map(({ name }) => [name, { $ref: `#/components/headers/${name}` }]),
      ),
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
    description: [route.description, exampleNote(route)].join(""),
    security: toSecurity(requirement),
    parameters: [...toParameters(route), REQUEST_ID_REF],
    ...(requestBody && { requestBody }),
    responses: {
      ...errorsOf(route, requirement),
      [route.status]: route.status === 204 ? { ...ok(WORDS[204]), content: {} } : ok(WORDS[route.status]),
      // The 503 of health has a different body.
      ...(otherwise && { [otherwise.status]: ok(otherwise.description, otherHeaders) }),
    },
  };
}

/** Says whose ids are in the example. */
function exampleNote({ exampleSubject }: Route): string {
  return exampleSubject === undefined ? "" : `\n\nThe example: ${exampleSubject}`;
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

function reportHeaders(routes: readonly Route[]): OpenapiDocument["components"]["headers"] {
  return Object.fromEntries(
    routes
      .flatMap(({ report }) => report?.headers ?? [])
      .map(({ name, description, words }) => [name, { description, schema: { type: "string", enum: [...words] } }]),
  );
}

const REQUEST_ID = {
  name: "X-Request-Id",
  in: "header",
  required: false,
  description: "A UUID that the caller chooses. The answer repeats it; anything else is replaced by a new one.",
  schema: { type: "string" },
} as const;

const REQUEST_ID_REF = { $ref: "#/components/parameters/RequestId" } as const;

const HEADERS = {
  "X-Request-Id": {
    description: "The UUID of the request: the one that the caller sent, or a new one.",
    schema: { type: "string", format: "uuid" },
  },
  "WWW-Authenticate": { description: "`Bearer`; at the token endpoint `Basic`.", schema: { type: "string" } },
  "X-RateLimit-Limit": { description: "Requests in any 60 seconds.", schema: { type: "integer", minimum: 1 } },
  "X-RateLimit-Remaining": {
    description: "Requests that may still be sent now.",
    schema: { type: "integer", minimum: 0 },
  },
  "X-RateLimit-Reset": {
    description: "When the oldest counted request no longer counts: seconds since 1970, UTC.",
    schema: { type: "integer" },
  },
  Allow: { description: "The methods that the path accepts.", schema: { type: "string" } },
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 1 } },
} as const;
