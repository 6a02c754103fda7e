/** The errors of a dbt crawl, each naming dbt's unique id or the file at fault. */
import type { z } from "zod";

import { CrawlFailure } from "../connector.ts";
import type { CrawlError, CrawlEvent } from "../connector.ts";

type Fault = Pick<CrawlError, "code" | "object" | "stage" | "message">;

/** Something was left out, and the rest is loaded. */
export function errorEvent(fault: Fault): CrawlEvent {
  return { kind: "error", error: { ...fault, severity: "error", retryable: false } };
}

/** Nothing was left out, but somebody should look. */
export function warningEvent(fault: Fault): CrawlEvent {
  return { kind: "error", error: { ...fault, severity: "warning", retryable: false } };
}

/** Nothing can be read of this file. */
export function failure(fault: Fault & { retryable?: boolean }, cause?: unknown): CrawlFailure {
  return new CrawlFailure({ severity: "error", retryable: false, ...fault }, cause);
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
export function irregularFile(location: string): CrawlFailure {
  return failure({
    code: "unreadable",
    object: location,
    stage: "connect",
    message: `${location} cannot be read: it is no ordinary file.`,
  });
}

/** A file that the operating system does not give. */
export function unreadableFile(location: string, error: unknown): CrawlFailure {
  const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  const fault = { object: location, stage: "connect" } as const;
  if (reason === "ENOENT")
    return failure({ ...fault, code: "not_found", message: `There is no file ${location}.` }, error);
  const why = { EISDIR: "it is a directory", EACCES: "permission is denied", EPERM: "permission is denied" }[reason];
  return failure({ ...fault, code: "unreadable", message: `${location} cannot be read: ${why ?? reason}.` }, error);
}
