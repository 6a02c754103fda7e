/** The type of a REST route. A route is data. */
import type { z } from "zod";

import type { notFound } from "../errors.ts";
import type { UploadKind } from "../http/body/upload.ts";
import type { TAGS } from "../http/endpoint.ts";

export interface Route {
  method: "GET" | "POST";
  /** The whole path, with parameters as `:name`. */
  path: string;
  tag: (typeof TAGS)[number];
  /** A few words, unique among the routes. */
  summary: string;
  /** Explains the route to new users. Names are in `backticks`. */
  description: string;
  /**
   * The name of an operation in `schema/operations`. Its variables have the names of the input. The value of its only
   * root field is the body of the response, and that field's requirement is the route's.
   */
  operation: string;
  /** Its name in the OpenAPI document, if the operation's name is already taken. */
  operationId?: string;
  /** Path and query contain text, a body contains JSON. A name may occur in only one of them. */
  input: { path?: z.ZodRawShape; query?: z.ZodRawShape; body?: z.ZodRawShape; upload?: Upload };
  /** Set if an input has another form in GraphQL. `toVariables` makes the variables, of which none has its name. */
  reworded?: { input: string; toVariables: (input: Readonly<Record<string, unknown>>) => Record<string, unknown> };
  /** If the operation may return null or not_found: what was not found, and the input with its name. */
  absent?: { noun: Parameters<typeof notFound>[0]; namedBy: string };
  /** An answer of 204 has no body. */
  status: 200 | 201 | 202 | 204;
  /** Set if the state of what is named may forbid the operation. */
  conflicts?: true;
  /** Another status, for some answers. With `retryAfterSeconds`, they have the header `Retry-After`. */
  otherwise?: {
    status: number;
    description: string;
    retryAfterSeconds?: number;
    appliesTo: (answer: unknown) => boolean;
  };
  /** Set if the body is a report in the client's format, not the value of the root field. */
  report?: Report;
  /** Describes the assets whose ids are in the example request. */
  exampleSubject?: string;
  /** An example of an answer. */
  example: unknown;
}

/** A body that is one large JSON document. The operation gets it as an `Upload`. */
interface Upload {
  /** The operation's variable. */
  name: string;
  description: string;
  kind: UploadKind;
  /** Its JSON type. Default: `object`. */
  type?: "object" | "array";
  example?: unknown;
}

/** A report in the format that the client accepts. */
interface Report {
  /** The schema of the JSON. The root field returns it as `json`. */
  schema: z.ZodType;
  /** The operation for clients that accept Markdown. Its root field returns it as `markdown`. */
  markdown: { operation: string; example: string };
  /** Headers that say what the root field returns in a Boolean field. */
  headers: readonly {
    name: string;
    description: string;
    field: "failed" | "isEmpty" | "isPartial";
    /** What it says if the field is true, and if not. */
    words: readonly [ifTrue: string, ifFalse: string];
  }[];
}
