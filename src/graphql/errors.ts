/** Translates every thrown error into one that a GraphQL client may see. This is the only place that does so. */
import { GraphQLError } from "graphql";
import type { GraphQLHTTPExtensions } from "graphql-yoga";

import { shortenMessage } from "../characters.ts";
import { AppError, type ErrorCode, HTTP_STATUS } from "../errors.ts";

/** The AppError inside an error, however often it was wrapped. */
export function findAppError(error: unknown): AppError | null {
  let current = error;
  while (current instanceof Error) {
    if (current instanceof AppError) return current;
    current = current instanceof GraphQLError ? current.originalError : null;
  }
  return null;
}

/** A code in the form of `extensions.code`: in upper case, as in other GraphQL software. */
export function toGraphqlCode<Code extends ErrorCode>(code: Code): Uppercase<Code> {
  return code.toUpperCase() as Uppercase<Code>;
}

const ERROR_CODES: ReadonlyMap<unknown, ErrorCode> = new Map(
  Object.keys(HTTP_STATUS).map((code) => [code.toUpperCase(), code as ErrorCode]),
);

/** Errors that graphql-jit makes have no `extensions`, although their type says so. */
const extensionsOf = (error: GraphQLError): Partial<GraphQLError["extensions"]> => error.extensions ?? {};

/** The service's own code of a public error. */
export function codeOf(error: GraphQLError): ErrorCode {
  return ERROR_CODES.get(extensionsOf(error).code) ?? "internal_error";
}

/** The message for an argument whose variable is null or missing. All executors use the same words. */
const UNFIT_ARGUMENT = /^Argument "\w+" of (non-null|required) type /;

/** Whether an error is about the request itself: its form, or the syntax or validity of its document. No resolver has run. */
function isAboutTheRequest(error: unknown): error is GraphQLError {
  if (!(error instanceof GraphQLError)) return false;
  // The executor wraps its own errors to add a path.
  const isOfLibrary = error.originalError == null || error.originalError instanceof GraphQLError;
  return isOfLibrary && (error.path === undefined || UNFIT_ARGUMENT.test(error.message));
}

/** An error of a field does not change the status of the request, because the rest of the answer is valid. */
function httpExtension(path: unknown, { status, retryAfterSeconds }: HttpAnswer): { http?: GraphQLHTTPExtensions } {
  if (path !== undefined) return {};
  const headers = retryAfterSeconds === undefined ? {} : { headers: { "Retry-After": String(retryAfterSeconds) } };
  return { http: { status, ...headers } };
}

/** Libraries use some of our codes too, and their messages may repeat a text of any length. */
function withBound(error: GraphQLError): GraphQLError {
  const message = shortenMessage(error.message);
  if (message === error.message) return error;
  const { nodes = null, source = null, positions = null, path = null, extensions } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}

type HttpAnswer = Pick<AppError, "status"> & Partial<Pick<AppError, "retryAfterSeconds">>;

/**
 * Returns the error that the client gets. An AppError keeps its code, and an error of the request keeps its message.
 * Anything else is reported, and answered as `INTERNAL_ERROR`. An error that is already public is returned unchanged.
 * @param report logs an unexpected error
 */
export function toPublicError(error: unknown, report: (error: unknown) => void): GraphQLError {
  const located = error instanceof GraphQLError ? error : null;
  if (located !== null && located.originalError == null && ERROR_CODES.has(extensionsOf(located).code))
    return withBound(located);
  const where = { nodes: located?.nodes ?? null, path: located?.path ?? null };
  const known = findAppError(error);
  if (known !== null) {
    const { code, details, retryAfterSeconds } = known;
    return new GraphQLError(known.message, {
      ...where,
      extensions: {
        code: toGraphqlCode(code),
        ...(details === undefined ? {} : { details }),
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
        ...httpExtension(located?.path, known),
      },
    });
  }
  if (isAboutTheRequest(error)) {
    // `spec`: 400, as GraphQL over HTTP says, unless the client accepts only application/json.
    const http = error.path === undefined ? { http: { spec: true, status: HTTP_STATUS.bad_request } } : {};
    return new GraphQLError(shortenMessage(error.message), {
      ...where,
      // Libraries have their own codes for syntax, validity and the choice of an operation.
      extensions: { ...http, ...extensionsOf(error), code: toGraphqlCode("bad_request") },
    });
  }
  report(error);
  return new GraphQLError("Something went wrong on our side.", {
    ...where,
    extensions: {
      code: toGraphqlCode("internal_error"),
      ...httpExtension(located?.path, { status: HTTP_STATUS.internal_error }),
    },
  });
}
