/** The errors of a dbt crawl, each naming dbt's unique id or the artifact at fault. */
import type { z } from "zod";

import { CrawlFailure } from "../connector.ts";
import type { CrawlEvent } from "../connector.ts";
import type { CrawlError } from "../../catalog/crawl.ts";

const MIB = 1024 ** 2;

type Fault = Pick<CrawlError, "code" | "object" | "stage" | "message">;

/** An artifact as its errors name it. */
export interface Source {
  /** Such as `manifest.json`, whatever the file is called: readers of the catalog see it. */
  name: string;
  /** Absolute path or URL: only the operator sees it. */
  place: string;
}

interface SourceFault {
  code: string;
  stage: CrawlError["stage"];
  /** What is wrong, after the artifact's name: `is no dbt catalog`. */
  why: string;
  retryable?: boolean;
}

/** Something was left out, and the rest is loaded. */
export function errorEvent(fault: Fault): CrawlEvent {
  return { kind: "error", error: { ...fault, severity: "error", retryable: false } };
}

/** Nothing was left out, but somebody should look. */
export function warningEvent(fault: Fault): CrawlEvent {
  return { kind: "error", error: { ...fault, severity: "warning", retryable: false } };
}

/** Nothing can be read of this artifact. */
export function failure(
  { name, place }: Source,
  { code, stage, why, retryable = false }: SourceFault,
  cause?: unknown,
): CrawlFailure {
  const error: CrawlError = {
    code,
    message: `${name} ${why}.`,
    object: name,
    stage,
    severity: "error",
    retryable,
    place,
  };
  return new CrawlFailure(error, cause);
}

/** What is wrong with a piece of an artifact, in one line. */
function explain(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join(".") || "it"}: ${issue.message}`)
    .join("; ");
}

/** A member of an artifact that does not have the shape that dbt writes. */
export function malformedMember(object: string, error: z.ZodError): CrawlEvent {
  return errorEvent({
    code: "malformed_node",
    object,
    stage: "parse",
    message: `${object} cannot be read: ${explain(error)}`,
  });
}

/** A member of an artifact that is larger than anything dbt writes. */
export function oversizedMember(object: string, excess: string): CrawlEvent {
  const message = `${object} was left out: ${excess}.`;
  return errorEvent({ code: "oversized_node", object, stage: "parse", message });
}

/** A pipe, a device or a socket. */
export function irregularFile(source: Source): CrawlFailure {
  return failure(source, { code: "unreadable", stage: "connect", why: "cannot be read: it is no ordinary file" });
}

/** An artifact that would take too much room, wherever it comes from. */
export function tooLarge(source: Source, maxBytes: number, cause?: unknown): CrawlFailure {
  const limit = maxBytes % MIB === 0 ? `${maxBytes / MIB} MiB` : `${maxBytes} bytes`;
  const why = `is larger than ${limit}, unpacked; MAX_ARTIFACT_MB sets the limit`;
  return failure(source, { code: "too_large", stage: "connect", why }, cause);
}

/** A file that the operating system does not give. */
export function unreadableFile(source: Source, error: unknown): CrawlFailure {
  const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  if (reason === "ENOENT") {
    return failure(source, { code: "not_found", stage: "connect", why: "cannot be found" }, error);
  }
  const known = { EISDIR: "it is a directory", EACCES: "permission is denied", EPERM: "permission is denied" }[reason];
  return failure(source, { code: "unreadable", stage: "connect", why: `cannot be read: ${known ?? reason}` }, error);
}
