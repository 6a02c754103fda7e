/** The type of an endpoint that is no row of the REST table, because it runs no GraphQL operation. Its row describes it. */
import { z } from "zod";

import type { Requirement } from "../auth/permissions.ts";

export const TAGS = [
  "Catalog",
  "Lineage",
  "Metrics",
  "Agents",
  "Connectors",
  "GraphQL",
  "Tokens",
  "Login",
  "Health",
  "Documents",
] as const;

/** The key of a row is its `operationId` in the OpenAPI document. */
export interface Endpoint {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  /** Set if clients also ask with a slash at the end of the path. */
  trailingSlash?: true;
  /** What each parameter of the path is, which stands there as `:name`. */
  parameters?: Readonly<Record<string, string>>;
  /** A required parameter of the query, and the words that it may be. */
  choice?: { name: string; description: string; words: readonly string[] };
  tag: (typeof TAGS)[number];
  /** A few words, unique among the endpoints. */
  summary: string;
  description: string;
  /**
   * Who may ask: `exempt` and `public` as in the guard. `login`: the body or the provider proves who asks. `session`: a
   * browser that is logged in. `client`: a service account with its secret. Otherwise, the requirement that a token must meet.
   */
  access: "exempt" | "public" | "login" | "session" | "client" | Requirement;
  /** Set if what the request names may not exist. */
  absent?: true;
  /** A JSON body, or a form. */
  body?: { type?: "form"; schema: z.ZodType; example?: unknown };
  /** The answers by status, besides errors. */
  answers: Readonly<Record<number, EndpointAnswer>>;
}

/** The one error body, where an endpoint's own protocol has another form of errors as well. */
export const errorBody = z.looseObject({ error: z.string(), message: z.string() });

export interface EndpointAnswer {
  description: string;
  /** The body. Without a schema there is none. */
  schema?: z.ZodType;
  /** Default: `application/json`. */
  type?: "application/json" | "text/html" | "application/atom+xml";
  /** The name of the schema in the OpenAPI document, if several answers share it. */
  name?: string;
  example?: unknown;
}
