/** Writes manifest.json, catalog.json, run_results.json and semantic_manifest.json from the dbt project in this folder. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { buildArtifacts } from "./generator/build-artifacts.ts";
import { readProject } from "./generator/read-project.ts";

const folder = import.meta.dirname;
for (const [name, text] of Object.entries(buildArtifacts(readProject(folder)))) {
  writeFileSync(join(folder, name), text);
}
