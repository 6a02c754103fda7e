/** Artifacts that came as text, as the files that connectors read. */
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Artifacts<T> {
  manifest: T;
  catalog?: T | undefined;
}

/** Gives the work paths that are gone when it ends. */
export async function withArtifactFiles<T>(
  { manifest, catalog }: Artifacts<string>,
  work: (paths: Artifacts<string>) => Promise<T>,
): Promise<T> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "tributary-what-if-"));
  const paths = { manifest: join(folder.path, "manifest.json"), catalog: join(folder.path, "catalog.json") };
  await writeFile(paths.manifest, manifest);
  if (catalog !== undefined) await writeFile(paths.catalog, catalog);
  return await work(catalog === undefined ? { manifest: paths.manifest } : paths);
}
