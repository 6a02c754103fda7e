/** A REST route is data; this is its form. */
import type { z } from "zod";

import type { notFound } from "../errors.ts";

/** Under this prefix everything but health needs a token. */
export const API_PREFIX = "/api/v1";

export const TAGS = [
  "Catalog",
  "Lineage",
  "Metrics",
  "Agents",
  "Connectors",
  "GraphQL",
  "Tokens",
  "Health",
  "Documents",
] as const;

export interface Route {
  method: "GET" | "POST";
  /** From the origin on, with parameters as `:name`. */
  path: string;
  tag: (typeof TAGS)[number];
  /** A few words, unique among the routes. */
  summary: string;
  /** What a stranger needs to know; names stand in `backticks`. */
  description: string;
  /**
   * The name of an operation in `schema/operations`. Its variables are the names of the input,
   * and what its one root field answers is the body of the response; that field says what a token must hold.
   */
  operation: string;
  /** Its name in the OpenAPI document, where the operation's own is taken. */
  operationId?: string;
  /** Path and query hold text, a body holds JSON; a name stands in one of them only. */
  input: { path?: z.ZodRawShape; query?: z.ZodRawShape; body?: z.ZodRawShape; upload?: Upload };
  /** Where the operation may answer null, or say so itself: what then was not found, and which input named it. */
  absent?: { noun: Parameters<typeof notFound>[0]; namedBy: string };
  status: 200 | 202;
  /** Another status with the same body, for the answers that call for it. */
  otherwise?: { status: number; description: string; appliesTo: (answer: unknown) => boolean };
  /** Where the answer of the root field is not the body itself: what is made of it. */
  report?: Report;
  /** What the ids of the example request belong to, in words; where it holds any. */
  exampleSubject?: string;
  /** An answer as it may come. */
  example: unknown;
}

/** A body that is one large JSON document. It is taken to a file, which the operation is given as an `Upload`. */
interface Upload {
  /** The operation's variable. */
  name: string;
  description: string;
}

/** What the root field answers for a report: its form depends on what the client accepts. */
interface Report {
  /** Of the JSON: the root field answers it as `json`. */
  schema: z.ZodType;
  /** The operation for clients that accept Markdown; its root field answers it as `markdown`. */
  markdown: { operation: string; example: string };
  /** A header that says whether it has failed: the root field answers that as `failed`. */
  verdict: { header: string; description: string };
}
