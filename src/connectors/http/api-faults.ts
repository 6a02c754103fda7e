/** What may go wrong when an API is asked, in words for people. */
import type { z } from "zod";

import { CrawlFailure } from "../connector.ts";
import { capitalize, explainIssues, showBytes } from "../faults.ts";
import { type ConnectionFault, toConnectionFault } from "./connection-fault.ts";
import { TooLarge } from "./fetch-source.ts";

/** No answer came in time. */
export class TooSlow extends Error {}

/** The API answered with the status of an error. */
export class RefusedStatus extends Error {
  readonly status: number;
  readonly retryAfter: string;
  /** @param retryAfter the header's value; "" if there is none */
  constructor(status: number, retryAfter: string) {
    super(`HTTP ${status}`);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** The answer is not JSON (null), or JSON of another form. */
export class BadAnswer extends Error {
  readonly fault: z.ZodError | null;
  constructor(fault: z.ZodError | null) {
    super("an answer of another form");
    this.fault = fault;
  }
}

export interface ApiFault extends ConnectionFault {
  /** How long the API asks to wait, in milliseconds; 0 if it does not say. */
  pauseMs: number;
}

interface FailureOptions {
  service: string;
  what: string;
  location: string;
  fault: ConnectionFault;
  isFatal: boolean;
}

/**
 * A request that failed for good. The message names what could not be read, and contains no address and no secret. Its
 * codes: `unauthorized`, `forbidden`, `not_found`, `rate_limited`, `http_error`, `timeout`, `unreachable`, `too_large`,
 * `unexpected_answer`, `bad_redirect`, `unknown_encoding`, `private_address` and `insecure_source`.
 */
export class ApiFailure extends CrawlFailure {
  /** Whether everything else would fail too: a crawl must stop. */
  readonly isFatal: boolean;

  constructor(
    { service, what, location, fault: { code, why, retryable }, isFatal: isForAll }: FailureOptions,
    cause: unknown,
  ) {
    const message = isForAll ? `${service} ${why}.` : `${capitalize(what)} cannot be read: ${service} ${why}.`;
    const stage = code === "unexpected_answer" ? "parse" : "connect";
    super({ code, message, object: isForAll ? "" : what, stage, retryable, location }, cause);
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

export function toApiFault(error: unknown, limits: { timeoutMs: number; maxBytes: number }, now: Date): ApiFault {
  if (error instanceof RefusedStatus) {
    return { ...toStatusFault(error.status), pauseMs: toPauseMs(error.retryAfter, now) };
  }
  return { ...toAnswerFault(error, limits), pauseMs: 0 };
}

function toAnswerFault(
  error: unknown,
  { timeoutMs, maxBytes }: { timeoutMs: number; maxBytes: number },
): ConnectionFault {
  if (error instanceof TooSlow) {
    return { code: "timeout", why: `did not answer in ${timeoutMs / 1000} s`, retryable: true };
  }
  if (error instanceof TooLarge) {
    return { code: "too_large", why: `sent an answer larger than ${showBytes(maxBytes)}`, retryable: false };
  }
  if (error instanceof BadAnswer) {
    const fault = error.fault === null ? "is not JSON" : `has another form: ${explainIssues(error.fault)}`;
    return { code: "unexpected_answer", why: `sent an answer that ${fault}`, retryable: false };
  }
  return toConnectionFault(error);
}

function toStatusFault(status: number): ConnectionFault {
  const isPassing = status >= 500 || status === 408;
  const [code, why] = REFUSALS[status] ?? ["http_error", "answered"];
  return { code, why: `${why} (HTTP ${status})`, retryable: isPassing || status === 429 };
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
