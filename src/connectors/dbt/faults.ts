/** The errors of a dbt crawl. Each names dbt's unique id or the artifact. */
import type { z } from "zod";

import { type CrawlEvent, CrawlFailure } from "../connector.ts";
import { errorEvent, explainIssues, showBytes } from "../faults.ts";
import { IrregularFile } from "../source-file.ts";
import { OUTSIDE_FOLDERS } from "../source-folders.ts";
import type { CrawlError } from "../../catalog/crawl.ts";

/** An artifact as its errors name it. */
export interface Source {
  /** dbt's name, such as `manifest.json`, even if the file has another one. Readers of the catalog see it. */
  name: string;
  /** Absolute path or URL. Only the operator sees it. */
  location: string;
}

/** The name of dbt Cloud in errors that are about no single artifact. */
export const CLOUD_SOURCE = "dbt Cloud";

interface SourceFault {
  code: string;
  stage: CrawlError["stage"];
  /** The rest of a sentence that begins with the artifact's name: `is not a dbt catalog`. */
  why: string;
  retryable?: boolean;
}

/** A failure: the artifact cannot be read at all. */
export function failure(
  { name, location }: Source,
  { code, stage, why, retryable = false }: SourceFault,
  cause?: unknown,
): CrawlFailure {
  return new CrawlFailure({ code, message: `${name} ${why}.`, object: name, stage, retryable, location }, cause);
}

/** An entry of an artifact does not have dbt's shape. */
export function malformedMember(object: string, error: z.ZodError): CrawlEvent {
  const message = `${object} cannot be read: ${explainIssues(error)}`;
  return errorEvent({ code: "malformed_node", object, message });
}

/** An entry of an artifact is larger than anything that dbt writes. */
export function oversizedMember(object: string, excess: string): CrawlEvent {
  const message = `${object} was left out: ${excess}.`;
  return errorEvent({ code: "oversized_node", object, message });
}

/** The settings do not permit connectors to read the file. */
export function outsideFolders(source: Source): CrawlFailure {
  return failure(source, { code: "outside_folders", stage: "connect", why: OUTSIDE_FOLDERS });
}

/** The artifact is too large, as a download or a file. */
export function tooLarge(source: Source, maxBytes: number, cause?: unknown): CrawlFailure {
  const why = `is larger than ${showBytes(maxBytes)}, unpacked; MAX_ARTIFACT_MB sets the limit`;
  return failure(source, { code: "too_large", stage: "connect", why }, cause);
}

/** The operating system cannot open or read the file, or it may never end. */
export function unreadableFile(source: Source, error: unknown): CrawlFailure {
  if (error instanceof IrregularFile) {
    return failure(source, { code: "unreadable", stage: "connect", why: "cannot be read: it is not a regular file" });
  }
  const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  if (reason === "ENOENT" || reason === "ENOTDIR") {
    return failure(source, { code: "not_found", stage: "connect", why: "cannot be found" }, error);
  }
  const known = { EISDIR: "it is a directory", EACCES: "permission is denied", EPERM: "permission is denied" }[reason];
  return failure(source, { code: "unreadable", stage: "connect", why: `cannot be read: ${known ?? reason}` }, error);
}
