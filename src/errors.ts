/** The error class of the service: every rule that refuses something throws an `AppError`. */
import { excerpt } from "./characters.ts";

/** Each error code with its HTTP status, as the REST API specification lists them under Errors. */
export const HTTP_STATUS = {
  bad_request: 400,
  unauthorized: 401,
  invalid_auth_header: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof HTTP_STATUS;

/** One fault of one field, as `details` of a `bad_request` lists them. */
export interface FieldFault {
  field: string;
  message: string;
}

/** Details of an error: the faulty fields, or named facts. */
export type ErrorDetails = readonly FieldFault[] | Readonly<Record<string, unknown>>;

/** An error whose message may be shown to the caller. Any other error is answered as a plain `internal_error`. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;
  /** Seconds after which another attempt may succeed. Sent as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** The file that caused the error. Only the log and the command line show it, never an answer. */
  readonly location: string | undefined;
  /** Whether the error ends the whole request, without a partial answer. */
  readonly endsRequest: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      details?: ErrorDetails;
      retryAfterSeconds?: number;
      endsRequest?: true;
      location?: string;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.location = options.location;
    this.endsRequest = options.endsRequest ?? false;
  }

  get status(): number {
    return HTTP_STATUS[this.code];
  }
}

/** A `bad_request` about one field. */
export function badField(field: string, message: string, cause?: unknown): AppError {
  return badFields([{ field, message }], cause);
}

/** An error lists at most this many faults and counts the rest, because callers can cause any number of them. */
const MAX_FAULTS = 20;

/** A `bad_request` about these fields. If a field has several faults, only the first is shown. */
export function badFields(faults: readonly FieldFault[], cause?: unknown): AppError {
  const firsts = new Map(faults.toReversed().map((fault) => [fault.field, fault]));
  const distinct = [...firsts.values()].toReversed();
  const details = distinct.slice(0, MAX_FAULTS).map(({ field, message }) => ({ field: excerpt(field), message }));
  const lines = details.map(({ field, message }) => `${field}: ${message}`);
  const more = distinct.length - details.length;
  const message = [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
  return new AppError("bad_request", message, { details, cause });
}

/** The same error for callers who know the fields by other names. */
export function renameFields(error: unknown, nameOf: (field: string) => string): unknown {
  if (!(error instanceof AppError) || !isFieldFaults(error.details)) return error;
  return badFields(error.details.map(({ field, message }) => ({ field: nameOf(field), message })));
}

/**
 * Waits for every check, so that one answer tells the faults of all.
 * @returns what the checks returned
 * @throws the error of the only check that failed, or one that is about no field; else AppError `bad_request` with the
 * faults of all
 */
export async function gatherFaults<T extends readonly unknown[] | []>(checks: T) {
  const settled = await Promise.allSettled(checks);
  const errors = settled.flatMap((check) => (check.status === "rejected" ? [check.reason as unknown] : []));
  if (errors.length === 0) return Promise.all(checks);
  const other = errors.find((error) => faultsOf(error) === null);
  if (errors.length === 1 || other !== undefined) throw other ?? errors[0];
  throw badFields(errors.flatMap((error) => faultsOf(error) ?? []));
}

/** Null if it is no error about fields. */
function faultsOf(error: unknown): readonly FieldFault[] | null {
  return error instanceof AppError && isFieldFaults(error.details) ? error.details : null;
}

export function isFieldFaults(details: ErrorDetails | undefined): details is readonly FieldFault[] {
  return Array.isArray(details);
}

type Noun =
  | "asset"
  | "metric"
  | "connector"
  | "sync"
  | "key"
  | "token"
  | "account"
  | "secret"
  | "user"
  | "session"
  | "invitation"
  | "notice rule"
  | "notice"
  | "saved impact"
  | "workspace";

/** A `not_found` that does not reveal whether the id exists in another workspace. */
export function notFound(noun: Noun, id: string, askedBy: "id" | "the full name" = "id"): AppError {
  return new AppError("not_found", `No ${noun} with ${askedBy} ${JSON.stringify(excerpt(id))} in this workspace.`);
}

/** @param text a name or an id */
export function noConnector(text: string): AppError {
  return new AppError("not_found", `There is no connector ${excerpt(text)} in this workspace.`);
}

/** How long clients are told to wait for a dependency. */
export const AWAY_SECONDS = 5;

/** The error for a dependency that cannot be used now: 503 with `Retry-After`. */
export function unavailable(message: string, cause?: unknown, location?: string): AppError {
  return new AppError("unavailable", message, {
    retryAfterSeconds: AWAY_SECONDS,
    cause,
    ...(location === undefined ? {} : { location }),
  });
}

/** The error if the service itself has too much to do. */
export function overloaded(message: string): AppError {
  return new AppError("unavailable", message, { retryAfterSeconds: 1, endsRequest: true });
}
