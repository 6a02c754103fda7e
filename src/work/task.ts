/** The messages between a pool and its threads: a task and its reply. */
import { AppError, type ErrorCode, type ErrorDetails } from "../errors.ts";

/** The calls that a thread answers, by name. */
export type Calls<T> = { [K in keyof T]: (...args: never[]) => unknown };

export interface Task {
  method: string;
  args: readonly unknown[];
  /** The index of this task's flag in the pool. The flag is set when nobody waits for the answer any more. */
  flag: number;
}

export type Reply = ({ value: unknown } | { failure: Failure }) & {
  /** The processor time that the task took. */
  processorMs?: number;
  /** The id of the thread, if it must not do any further task. */
  spentThread?: number;
};

/** The data that each thread gets from its pool. */
export interface ThreadData {
  flags: Int32Array<SharedArrayBuffer>;
  /** Two numbers for each flag: the id of the thread that does its task, and the thread's processor time before it, in ms. */
  begun: Int32Array<SharedArrayBuffer>;
  data: unknown;
}

/** The name of the function that a thread's script exports. */
export const HANDLER = "serve";

/** Ends a task in its thread when its caller is gone. Nobody will see it. */
export class CalledOff extends Error {
  override readonly name = "CalledOff";
}

/** An error in a form that can be sent between threads. A plain clone would lose its class and its code. */
export interface Failure {
  message: string;
  stack: string | undefined;
  app: {
    code: ErrorCode;
    details: ErrorDetails | undefined;
    retryAfterSeconds: number | undefined;
    location: string | undefined;
    endsRequest: boolean;
  } | null;
}

export function toFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error), stack: undefined, app: null };
  const { message, stack } = error;
  if (!(error instanceof AppError)) return { message, stack, app: null };
  const { code, details, retryAfterSeconds, location, endsRequest } = error;
  return { message, stack, app: { code, details, retryAfterSeconds, location, endsRequest } };
}

export function fromFailure({ message, stack, app }: Failure): Error {
  const error =
    app === null
      ? new Error(message)
      : new AppError(app.code, message, {
          ...(app.details === undefined ? {} : { details: app.details }),
          ...(app.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: app.retryAfterSeconds }),
          ...(app.location === undefined ? {} : { location: app.location }),
          ...(app.endsRequest && { endsRequest: true }),
        });
  if (stack !== undefined) error.stack = stack;
  return error;
}
