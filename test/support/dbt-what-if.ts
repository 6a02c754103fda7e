/** Syncs a dbt project as the service does, and assesses new versions of its artifacts. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { findConnectorType } from "../../src/connectors/registry.ts";
import { textAsFile } from "../../src/connectors/source-file.ts";
import { certifyMetric } from "../../src/metrics/certify.ts";
import { createWhatIf } from "../../src/what-if/what-if.ts";
import { THE_SERVICE } from "../../src/work/caller.ts";
import { createEventLoopScheduler } from "../../src/work/event-loop-scheduler.ts";
import { openCrawls } from "./crawls.ts";
import { originAs } from "./origin.ts";
import { makeTemporaryFolder } from "./metadata-store.ts";

/** Artifacts of a project, as JSON values. */
export interface Artifacts {
  manifest: object;
  catalog?: object | undefined;
}

/** Syncs a project from these artifacts, and certifies all of its metrics. */
export async function openDbtWhatIf({ manifest, catalog }: Artifacts) {
  const crawls = await openCrawls(findConnectorType, { error: console.error, warn: () => {}, info: () => {} });
  const { graph, store, clock, sqlLineage, workspace, admin } = crawls;
  const folder = await makeTemporaryFolder();
  const options: Record<string, string> = { manifest: join(folder, "manifest.json") };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  if (catalog !== undefined) {
    options["catalog"] = join(folder, "catalog.json");
    await writeFile(options["catalog"], JSON.stringify(catalog));
  }
  const crawl = await crawls.add({ type: "dbt", name: "shop", options });
  const outcome = await crawl();
  if (outcome.status !== "completed") throw new Error(`the crawl ended ${outcome.status}`);
  const origin = originAs(workspace, admin, "ada@example.com");
  const by = { origin, by: "ada@example.com", note: "" };
  for (const { id } of await crawls.list("metric")) await certifyMetric({ graph, store, clock }, { ...by, id });

  const turns = createEventLoopScheduler();
  const whatIf = createWhatIf({ graph, store, sqlLineage, findConnectorType, turns, maxAffected: 100_000 });
  return {
    ...crawls,
    outcome,
    /** The report on new artifacts. */
    check: (next: Artifacts) =>
      whatIf.assessManifest({
        workspace,
        caller: THE_SERVICE,
        manifest: textAsFile("manifest.json", JSON.stringify(next.manifest)),
        catalog: next.catalog && textAsFile("catalog.json", JSON.stringify(next.catalog)),
      }),
    whatIf,
  };
}
