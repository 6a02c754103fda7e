/** Opens the artifacts that are optional in a crawl. */
import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { CrawlFailure } from "../connector.ts";
import type { CrawlEvent } from "../connector.ts";
import { findUrl } from "../http/find-url.ts";
import { openInput } from "./input.ts";
import type { CrawledInput, OpenOptions } from "./input.ts";
import { type Artifact, type DbtOptions, FILE_NAMES } from "./options.ts";

/** Reads something optional. If it fails, adds the error to `errors` and returns `otherwise`. */
export async function orError<T>(
  reading: Promise<T>,
  otherwise: T,
  errors: CrawlEvent[],
  severity: "warning" | "error" = "error",
): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof CrawlFailure)) throw error;
    errors.push({ kind: "error", error: { ...error.error, severity } });
    return otherwise;
  }
}

/** @returns null if the options do not name the artifact, or it cannot be opened */
export async function openNamed(
  artifact: Exclude<Artifact, "manifest">,
  options: DbtOptions,
  open: OpenOptions,
  errors: CrawlEvent[],
): Promise<CrawledInput | null> {
  const where = options[artifact];
  return where === undefined ? null : orError(openInput(artifact, where, open), null, errors);
}

/** The artifacts that only contain results of checks. Without them, no asset is missing in the catalog. */
export type ResultArtifact = "run_results" | "sources";

/** A fault of a file that the options do not name is a warning: it may be half written, or belong to another tool. */
export function severityOf(artifact: ResultArtifact, options: DbtOptions): "warning" | "error" {
  return options[artifact] === undefined ? "warning" : "error";
}

/**
 * Like `openNamed`. But if the options do not name the artifact, it is looked for in the folder of a local manifest.
 */
export async function openNamedOrBeside(
  artifact: ResultArtifact,
  options: DbtOptions,
  open: OpenOptions,
  errors: CrawlEvent[],
): Promise<CrawledInput | null> {
  if (options[artifact] !== undefined) return openNamed(artifact, options, open, errors);
  if (findUrl(options.manifest) !== null) return null;
  const path = join(dirname(resolve(options.manifest)), FILE_NAMES[artifact]);
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere ? orError(openInput(artifact, path, open), null, errors, severityOf(artifact, options)) : null;
}
