import { buildCatalog } from "./catalog.ts";
import { buildManifest } from "./manifest.ts";
import type { Project } from "./read-project.ts";
import { placeRelations } from "./relations.ts";
import { buildRunResults } from "./run-results.ts";
import { buildSemanticManifest } from "./semantic-manifest.ts";

/**
 * Compiles a project, as `dbt docs generate` does: the text of each artifact by its file name. Pure, and the same bytes
 * for the same project.
 * @throws Error where something refers to what is not there.
 */
export function buildArtifacts(project: Project): Record<string, string> {
  const relations = placeRelations(project);
  const artifacts = {
    "manifest.json": buildManifest(project, relations),
    "catalog.json": buildCatalog(relations),
    "run_results.json": buildRunResults(project, relations),
    "semantic_manifest.json": buildSemanticManifest(project, relations),
  };
  return Object.fromEntries(
    Object.entries(artifacts).map(([name, artifact]) => [name, `${JSON.stringify(artifact, null, 2)}\n`]),
  );
}
