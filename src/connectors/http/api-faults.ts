/** What may go wrong when an API is asked, in words for people. */
import type { z } from "zod";

import type { ToldError } from "../../catalog/crawl.ts";
import { CrawlFailure } from "../connector.ts";
import { explainIssues, showBytes } from "../faults.ts";
import { type ConnectionFault, FetchFailure, toConnectionFault } from "./connection-fault.ts";
import { TooLarge } from "./fetch-source.ts";

/** The answer is not JSON (null), or JSON of another form. */
export function badAnswer(error: z.ZodError | null): FetchFailure {
  const fault = error === null ? "is not JSON" : `has another form: ${explainIssues(error)}`;
  return new FetchFailure({ code: "unexpected_answer", why: `sent an answer that ${fault}` });
}

/**
 * A request that failed for good. The message names what could not be read, and contains no address and no secret. Its
 * codes: `unauthorized`, `forbidden`, `not_found`, `rate_limited`, `http_error`, `timeout`, `unreachable`, `too_large`,
 * `unexpected_answer`, `bad_redirect`, `unknown_encoding`, `private_address` and `insecure_source`.
 */
export class ApiFailure extends CrawlFailure {
  /** Whether everything else would fail too: a crawl must stop. */
  readonly isFatal: boolean;

  constructor(error: ToldError, isForAll: boolean, cause: unknown) {
    super(error, cause);
    this.isFatal = isForAll;
  }
}

/** @throws the error if it is not about one thing only, so that everything else would fail too */
export function passingFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure && !error.isFatal) return error;
  throw error;
}

/** Faults that do not depend on what is asked for. */
const FATAL = new Set(["unauthorized", "private_address", "insecure_source"]);

export function isFatal({ code }: ConnectionFault): boolean {
  return FATAL.has(code);
}

export function toApiFault(error: unknown, { maxBytes }: { maxBytes: number }): ConnectionFault {
  if (!(error instanceof TooLarge)) return toConnectionFault(error);
  return { code: "too_large", why: `sent an answer larger than ${showBytes(maxBytes)}`, retryable: false };
}

/** The API answered with the status of an error. */
export function refusedStatus({ status, headers }: Response, now: Date): FetchFailure {
  const [code, why] = REFUSALS[status] ?? ["http_error", "answered"];
  const retryable = status >= 500 || status === 408 || status === 429;
  const pauseMs = toPauseMs(headers.get("retry-after") ?? "", now);
  return new FetchFailure({ code, why: `${why} (HTTP ${status})`, retryable, pauseMs });
}

const REFUSALS: Readonly<Record<number, [code: string, why: string]>> = {
  401: ["unauthorized", "refuses the credentials"],
  403: ["forbidden", "does not permit it with these credentials"],
  404: ["not_found", "does not have it"],
  410: ["not_found", "does not have it"],
  429: ["rate_limited", "limits the number of requests"],
};

/** Reads `Retry-After`, which is a number of seconds or a date (RFC 9110, 10.2.3). */
function toPauseMs(retryAfter: string, now: Date): number {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}
