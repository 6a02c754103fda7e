/** The client or part of the service for which work is done. */
import { AppError } from "../errors.ts";

export interface Caller {
  /** Shares resources fairly with other tenants: a key, an account, or a part of the service such as a crawl. */
  readonly tenant: string;
  /** The account that the key belongs to. Default: the tenant. */
  readonly account?: string;
  /** The workspace of the account. */
  readonly workspace?: string;
  /** Aborted when nobody waits for the answer any more: the client is gone, or the time limit is over. */
  readonly signal: AbortSignal;
  /**
   * Called with the number of rows that were read for it.
   * @throws AppError `bad_request` if its budget is spent
   */
  readonly charge?: (rows: number) => void;
  /** Resolves when so many more rows may be taken into memory for it. A large request waits here for others. */
  readonly grow?: (rows: number) => Promise<void>;
  /** One read of the past stops when it has read more rows than this. */
  readonly maxRows?: number;
  /** Stops all work for the same request. Called when a part of it is refused, since the whole is refused then. */
  readonly giveUp?: (reason: AppError) => void;
}

/** The service itself. Its work is never cancelled. */
export const THE_SERVICE: Caller = { tenant: "service", signal: new AbortController().signal };

/** The reason of a signal whose client is gone. Nobody will see it. */
export const CLIENT_GONE = new AppError("unavailable", "The client closed the connection.", { endsRequest: true });

/** The reason of a signal whose request took too long. */
export function outOfTime(seconds: number): AppError {
  return new AppError("unavailable", `The request took longer than ${seconds} seconds and was stopped.`, {
    retryAfterSeconds: 5,
    endsRequest: true,
  });
}
