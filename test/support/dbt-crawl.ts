/** Crawls dbt artifacts as the service does, and finds columns by their names. */
import { join } from "node:path";

import { findConnectorType } from "../../src/connectors/registry.ts";
import { openCrawls } from "./crawls.ts";

/** @param folder contains manifest.json, and the other named artifacts */
export async function openDbtCrawl(folder: string, artifacts: readonly string[] = ["manifest", "catalog"]) {
  const { add, ...found } = await openCrawls(findConnectorType);
  const options = Object.fromEntries(artifacts.map((artifact) => [artifact, join(folder, `${artifact}.json`)]));
  return { ...found, crawl: await add({ type: "dbt", name: "shop", options }) };
}
