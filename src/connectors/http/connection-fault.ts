/** Says why a source could not be asked, in words for people. */

export interface ConnectionFault {
  /** That of a `CrawlError`. */
  code: string;
  /** The rest of a sentence that begins with the source's name. It contains no address and no secret. */
  why: string;
  retryable: boolean;
  /** How long the source asks to wait before the next request, in milliseconds. Absent: it does not say. */
  pauseMs?: number;
}

/** A source that is not asked, or whose answer is not used. */
export class FetchFailure extends Error {
  override readonly name = "FetchFailure";
  readonly fault: ConnectionFault;

  constructor(fault: Omit<ConnectionFault, "retryable"> & Partial<ConnectionFault>) {
    super(fault.why);
    this.fault = { retryable: false, ...fault };
  }
}

/** @param error what `fetchSource` or its answer's body threw */
export function toConnectionFault(error: unknown): ConnectionFault {
  if (error instanceof FetchFailure) return error.fault;
  return { code: "unreachable", why: `cannot be reached: ${causeOf(error)}`, retryable: true };
}

/** The error's code, such as `ECONNREFUSED`. Its message is not shown, because it may contain a path or an address. */
function causeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "the connection failed";
}
