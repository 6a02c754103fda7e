/** Error answers that several routes share. */
import { type ErrorCode, HTTP_STATUS } from "../../errors.ts";
import type { JsonSchema, Reference, Response } from "./types.ts";

const NAMED = { type: "object", properties: { field: { type: "string" }, message: { type: "string" } } } as const;

export const ERROR_SCHEMA: JsonSchema = {
  description: "The body of every error.",
  type: "object",
  required: ["error", "message"],
  properties: {
    error: { type: "string", enum: Object.keys(HTTP_STATUS), description: "A code for programs." },
    message: { type: "string", description: "A sentence for people." },
    details: {
      description: "Absent if there is nothing to add. For bad input: every field at fault.",
      anyOf: [{ type: "array", items: { ...NAMED, required: ["field", "message"] } }, { type: "object" }],
    },
  },
};

interface Answer<Said> {
  description: string;
  /** What is said, by the code. */
  examples: Readonly<Record<string, Said>>;
  /** Headers besides those of every answer. */
  headers?: readonly string[];
}

interface ErrorAnswer extends Omit<Answer<unknown>, "examples"> {
  /** Set if it differs from the status of the code. */
  status?: number;
  examples: Partial<Record<ErrorCode, { message: string; details?: unknown }>>;
}

/** Refers to header components by their names. Every answer has the request's id. */
export const headerRefs = (names: readonly string[]): Response["headers"] =>
  Object.fromEntries(["X-Request-Id", ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The headers with the state of the rate limit. */
export const QUOTA_HEADERS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] as const;

const ANSWERS = {
  BadRequest: {
    description:
      "Something in the request is wrong; `details` lists all faults at once. Or, if `details.reason` is `budget`, the " +
      "request asks for more than one request may.",
    examples: {
      bad_request: {
        message: "limit: must be a whole number from 1 to 200",
        details: [{ field: "limit", message: "must be a whole number from 1 to 200" }],
      },
    },
    headers: QUOTA_HEADERS,
  },
  Unauthorized: {
    description: "No valid token, or an `Authorization` header that is not `Bearer`, one space and the token.",
    examples: {
      unauthorized: { message: "A valid bearer token is needed: this one is missing, unknown, expired or revoked." },
      invalid_auth_header: { message: 'The Authorization header must be "Bearer", one space and the token.' },
    },
    headers: ["WWW-Authenticate"],
  },
  Forbidden: {
    description: "The token is valid but may not do this.",
    examples: { forbidden: { message: 'This needs a token with the scope "write".' } },
    headers: QUOTA_HEADERS,
  },
  NotFound: {
    description: "The workspace of the token has no object with this id or name.",
    examples: { not_found: { message: 'No asset with id "0b6f" in this workspace.' } },
    headers: QUOTA_HEADERS,
  },
  Conflict: {
    description: "The connector is disabled, or cannot do this.",
    examples: { conflict: { message: "The connector openlineage is disabled: it takes no events." } },
    headers: QUOTA_HEADERS,
  },
  MethodNotAllowed: {
    description: "The path accepts only the methods in `Allow`.",
    examples: { method_not_allowed: { message: "DELETE is not allowed at /api/v1/metrics, only GET, HEAD." } },
    headers: ["Allow"],
  },
  RequestTimeout: {
    description: "The request did not arrive in time. The connection is closed.",
    status: 408,
    examples: { bad_request: { message: "The request did not arrive in time." } },
  },
  HeadersTooLarge: {
    description: "The headers have more than 16 KiB. The connection is closed.",
    status: 431,
    examples: { bad_request: { message: "The headers are too large." } },
  },
  PayloadTooLarge: {
    description:
      "The body has more than 1 MiB; or, unpacked, more than 10 MiB of lineage events, or 64 MiB of a manifest.",
    examples: { payload_too_large: { message: "A body may have at most 1048576 bytes." } },
    headers: QUOTA_HEADERS,
  },
  UnsupportedMediaType: {
    description:
      "The body is not `application/json` in UTF-8. Only a manifest and lineage events may be compressed, by gzip.",
    examples: {
      unsupported_media_type: { message: "A body must be application/json, in UTF-8 and not compressed." },
    },
    headers: QUOTA_HEADERS,
  },
  RateLimited: {
    description:
      "Too many requests in the last 60 seconds. If `details.reason` is `waiting`, too many requests still wait. If it is " +
      "`auth_lockout`, too many attempts to authenticate failed from this address. Try again after `Retry-After` seconds.",
    examples: {
      rate_limited: { message: "The limit of 1000 requests a minute is reached." },
    },
    headers: ["Retry-After", ...QUOTA_HEADERS],
  },
  InternalError: {
    description: "An unexpected error. A `GET` can be repeated safely.",
    examples: { internal_error: { message: "Something went wrong in the service." } },
  },
  Unavailable: {
    description:
      "A store is down, the service has too much to do, or the request took too long. Try again after `Retry-After` seconds.",
    examples: { unavailable: { message: "The graph store does not answer." } },
    headers: ["Retry-After"],
  },
} satisfies Record<string, ErrorAnswer>;

export type ErrorAnswerName = keyof typeof ANSWERS;

/** Errors of every path: a parameter may be unknown, and a request may be refused before its path is read. */
export const EVERYWHERE: readonly ErrorAnswerName[] = [
  "BadRequest",
  "MethodNotAllowed",
  "RequestTimeout",
  "HeadersTooLarge",
  "InternalError",
  "Unavailable",
];
/** Further errors of paths that need a token. */
export const WITH_TOKEN: readonly ErrorAnswerName[] = ["Unauthorized", "Forbidden", "RateLimited"];
/** Further errors of paths with a body. */
export const WITH_BODY: readonly ErrorAnswerName[] = ["PayloadTooLarge", "UnsupportedMediaType"];

const refTo = (name: string): Reference => ({ $ref: `#/components/responses/${name}` });

/** Error answers by status. */
export function toErrorRefs(names: readonly ErrorAnswerName[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [statusOf(name), refTo(name)]));
}

/** The status of an error answer. */
function statusOf(name: ErrorAnswerName): number {
  const { status, examples }: ErrorAnswer = ANSWERS[name];
  const [code] = Object.keys(examples) as ErrorCode[];
  if (code === undefined) throw new Error(`${name} has no code.`);
  return status ?? HTTP_STATUS[code];
}

export function errorResponses(): Record<string, Response> {
  return {
    ...toResponses(ANSWERS, "Error", (error, rest) => ({ error, ...rest })),
    ...toResponses(OAUTH_ANSWERS, "OauthError", (error, message) => ({ error, error_description: message, message })),
  };
}

/** @param toBody makes the body of an example, from its code and what is said about it */
function toResponses<Said>(
  answers: Readonly<Record<string, Answer<Said>>>,
  schema: string,
  toBody: (code: string, said: Said) => object,
): Record<string, Response> {
  const responses = Object.entries(answers).map(([name, { description, headers = [], examples }]) => {
    const values = Object.entries(examples).map(([code, said]) => [code, { value: toBody(code, said) }]);
    const content = { schema: { $ref: `#/components/schemas/${schema}` }, examples: Object.fromEntries(values) };
    return [name, { description, headers: headerRefs(headers), content: { "application/json": content } }];
  });
  return Object.fromEntries(responses);
}

export const OAUTH_ERROR_SCHEMA: JsonSchema = {
  description: "The body of an error of the token endpoint (RFC 6749, section 5.2).",
  type: "object",
  required: ["error", "error_description", "message"],
  properties: {
    error: { type: "string", description: "A code for programs." },
    error_description: { type: "string", description: "A sentence for people." },
    message: { type: "string", description: "The same sentence." },
    details: { type: "object", description: "Absent if there is nothing to add." },
  },
};

/** The error answers of the token endpoint. `examples` has messages by code. */
const OAUTH_ANSWERS: Readonly<Record<string, Answer<string>>> = {
  InvalidTokenRequest: {
    description: "The form is not as RFC 6749 requires, or asks for more than the account may have.",
    examples: {
      invalid_request: "grant_type is given more than once.",
      unsupported_grant_type: "The only grant_type is client_credentials.",
      invalid_scope: "The account's role does not allow: admin.",
    },
  },
  InvalidClient: {
    description: "The client is unknown or disabled, its secret is wrong, or the request has neither id nor secret.",
    headers: ["WWW-Authenticate"],
    examples: { invalid_client: "The client is unknown, or its secret is wrong." },
  },
  NoToken: {
    description: "403, 405, 413, 429, 500 or 503, for the reasons that the other endpoints have, in the form of OAuth.",
    headers: ["Retry-After"],
    examples: { forbidden: "The workspace accepts no tokens from this address." },
  },
};

/** The errors of the token endpoint by status. */
export function oauthErrorRefs(): Record<string, Reference> {
  return {
    400: refTo("InvalidTokenRequest"),
    401: refTo("InvalidClient"),
    // These are refused before the path is read, so they have the usual error body.
    ...toErrorRefs(["RequestTimeout", "HeadersTooLarge"]),
    ...Object.fromEntries([403, 405, 413, 429, 500, 503].map((status) => [status, refTo("NoToken")])),
  };
}
