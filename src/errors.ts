/** The one error of the service: every rule that refuses something throws an `AppError`. */
import { excerpt } from "./characters.ts";

/** Each error code and the HTTP status that it is answered with, by the specification's section 7. */
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

/** What may follow an error's message: the faulty fields, or named facts. */
export type ErrorDetails = readonly FieldFault[] | Readonly<Record<string, unknown>>;

/**
 * An error whose message may be shown to the caller.
 * Anything else that is thrown is answered as a plain `internal_error`.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;
  /** Seconds after which a repeat may succeed; answered as `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** The file at fault. It is for the operator alone, who reads the log and runs commands; callers are never told. */
  readonly place: string | undefined;
  /** Whether the whole request ends by it, whatever else it asked for: no part of an answer is given. */
  readonly endsRequest: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      details?: ErrorDetails;
      retryAfterSeconds?: number;
      endsRequest?: true;
      place?: string;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.place = options.place;
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

/** Faults that one error tells; the rest is counted. Callers choose names and number of what is wrong. */
const MAX_FAULTS = 20;

/** A `bad_request` about these fields; of several faults of one field the first is told. */
export function badFields(faults: readonly FieldFault[], cause?: unknown): AppError {
  const firsts = new Map(faults.toReversed().map((fault) => [fault.field, fault]));
  const distinct = [...firsts.values()].toReversed();
  const details = distinct.slice(0, MAX_FAULTS).map(({ field, message }) => ({ field: excerpt(field), message }));
  const told = details.map(({ field, message }) => `${field}: ${message}`);
  const more = distinct.length - details.length;
  const message = [...told, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
  return new AppError("bad_request", message, { details, cause });
}

type Noun = "asset" | "metric" | "connector" | "sync" | "key" | "token" | "account" | "secret" | "user" | "workspace";

/** A `not_found` that gives no hint whether the id exists in another workspace. */
export function notFound(noun: Noun, id: string): AppError {
  return new AppError("not_found", `No ${noun} with id ${JSON.stringify(excerpt(id))} in this workspace.`);
}

/** A dependency that is away: answered as 503 with `Retry-After`. */
export function unavailable(message: string, cause?: unknown, place?: string): AppError {
  return new AppError("unavailable", message, {
    retryAfterSeconds: 5,
    cause,
    ...(place === undefined ? {} : { place }),
  });
}

/** The service itself has too much to do. */
export function overloaded(message: string): AppError {
  return new AppError("unavailable", message, { retryAfterSeconds: 1, endsRequest: true });
}
