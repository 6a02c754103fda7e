/** What passes between the graph and its threads: one request, one reply. */
import { AppError, type ErrorCode, type ErrorDetails } from "../../errors.ts";

/** What a thread can do, by name. */
export type Calls<T> = { [K in keyof T]: (...args: never[]) => unknown };

export interface Request {
  id: number;
  /** Null asks the thread to close its file and end. */
  method: string | null;
  args: readonly unknown[];
}

export type Reply = { id: number; value: unknown } | { id: number; failure: Failure };

/** An error in a form that survives the way: a plain clone would lose its class and its code. */
export interface Failure {
  message: string;
  stack: string | undefined;
  app: {
    code: ErrorCode;
    details: ErrorDetails | undefined;
    retryAfterSeconds: number | undefined;
    place: string | undefined;
  } | null;
}

export function toFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error), stack: undefined, app: null };
  const { message, stack } = error;
  if (!(error instanceof AppError)) return { message, stack, app: null };
  const { code, details, retryAfterSeconds, place } = error;
  return { message, stack, app: { code, details, retryAfterSeconds, place } };
}

export function fromFailure({ message, stack, app }: Failure): Error {
  const error =
    app === null
      ? new Error(message)
      : new AppError(app.code, message, {
          ...(app.details === undefined ? {} : { details: app.details }),
          ...(app.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: app.retryAfterSeconds }),
          ...(app.place === undefined ? {} : { place: app.place }),
        });
  if (stack !== undefined) error.stack = stack;
  return error;
}
