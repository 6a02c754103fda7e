/** Opens the artifacts that a crawl can do without. */
import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { CrawlFailure } from "../connector.ts";
import type { CrawlEvent } from "../connector.ts";
import { openInput } from "./input.ts";
import type { Input, OpenOptions } from "./input.ts";
import { type Artifact, type DbtOptions, FILE_NAMES, findUrl } from "./options.ts";

/** Reads what a crawl can do without: a fault is kept in `errors`, and `otherwise` is answered. */
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

/** Null where the artifact is not named, or cannot be opened. */
export async function openNamed(
  artifact: Exclude<Artifact, "manifest">,
  options: DbtOptions,
  open: OpenOptions,
  errors: CrawlEvent[],
): Promise<Input | null> {
  const where = options[artifact];
  return where === undefined ? null : orError(openInput(artifact, where, open), null, errors);
}

/** The artifacts that only tell how checks went: without them nothing is missing in the catalog. */
export type ResultArtifact = "run_results" | "sources";

/** One that is not named may be half written, or of another tool: a fault of it is a warning. */
export function severityOf(artifact: ResultArtifact, options: DbtOptions): "warning" | "error" {
  return options[artifact] === undefined ? "warning" : "error";
}

/** The same as `openNamed`, but an artifact that is not named is looked for beside a manifest that is a local file. */
export async function openNamedOrBeside(
  artifact: ResultArtifact,
  options: DbtOptions,
  open: OpenOptions,
  errors: CrawlEvent[],
): Promise<Input | null> {
  if (options[artifact] !== undefined) return openNamed(artifact, options, open, errors);
  if (findUrl(options.manifest) !== null) return null;
  const path = join(dirname(resolve(options.manifest)), FILE_NAMES[artifact]);
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere ? orError(openInput(artifact, path, open), null, errors, severityOf(artifact, options)) : null;
}
