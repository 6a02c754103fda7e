/** Writes artifacts that came as text to temporary files, because connectors read files. */
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { badField } from "../errors.ts";

interface Artifacts<T> {
  manifest: T;
  catalog?: T | undefined;
}

/**
 * More than the body of a request may contain. Even a caller who may only read causes this much to be written to the
 * disk.
 */
const MAX_BYTES = 8 * 1024 ** 2;

/**
 * Writes the artifacts to files, and deletes them when the work ends.
 * @throws AppError `bad_request` if the artifacts have more than 8 MiB together
 */
export async function withArtifactFiles<T>(
  { manifest, catalog }: Artifacts<string>,
  work: (paths: Artifacts<string>) => Promise<T>,
): Promise<T> {
  if (Buffer.byteLength(manifest) + Buffer.byteLength(catalog ?? "") > MAX_BYTES) {
    throw badField("manifest", "is too large: with its catalog it may have 8 MiB; use tributary impact");
  }
  await using folder = await mkdtempDisposable(join(tmpdir(), "tributary-what-if-"));
  const paths = { manifest: join(folder.path, "manifest.json"), catalog: join(folder.path, "catalog.json") };
  await writeFile(paths.manifest, manifest);
  if (catalog !== undefined) await writeFile(paths.catalog, catalog);
  return await work(catalog === undefined ? { manifest: paths.manifest } : paths);
}
