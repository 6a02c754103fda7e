/** The product from outside: a project is synced in the ordinary way, and each drop is assessed over HTTP. */
import { existsSync } from "node:fs";
import { join } from "node:path";

import { setRateLimit } from "../../src/auth/security-settings.ts";
import { fromCommandLine } from "../../src/auth/origin.ts";
import type { CatalogNode } from "../../src/catalog/asset.ts";
import type { ColumnUse } from "../../src/catalog/edge.ts";
import type { Risk } from "../../src/catalog/impact.ts";
import { findConnectorType } from "../../src/connectors/registry.ts";
import { addConnector } from "../../src/ingest/add-connector.ts";
import { MAX_RATE_LIMIT, type Sync } from "../../src/metadata/records.ts";
import { getDefaultWorkspace, getFirstAdmin } from "../../src/cli/start/workspace.ts";
import { startApp } from "../../test/support/app.ts";

const ARTIFACTS = ["manifest", "catalog"];

/** The part of an impact for one asset or metric. */
export interface Told {
  type: CatalogNode["type"];
  fqn: string;
  risk: Risk;
  reason: string;
}

export interface Product {
  sync: Sync;
  /** The duration of the sync, from the trigger to its end. */
  crawlMs: number;
  /** Tables and models, sorted by key. */
  assets: CatalogNode[];
  /** The columns of each asset, by the asset's id. */
  columns: Map<string, CatalogNode[]>;
  /** Everything that dropping this column affects. */
  drop(columnId: string): Promise<Told[]>;
  /** The columns that a column is made from, with their uses. */
  sourcesOf(column: CatalogNode): Promise<{ node: CatalogNode; uses: readonly ColumnUse[] }[]>;
  close(): Promise<void>;
}

const DROP = `query ($id: ID!) {
  impact(id: $id, changeType: column_drop) { truncated affected { type fqn risk reason } }
}`;

interface Answer {
  errors?: unknown[];
  data?: { impact: { truncated: boolean; affected: Told[] } };
}

/**
 * Starts the service with an empty data folder and syncs a dbt project.
 * @param folder holds manifest.json and catalog.json
 * @throws Error if the sync does not end `completed`
 */
export async function crawlProject(folder: string): Promise<Product> {
  const running = await startApp({ env: { SAMPLE: "off" } });
  const { app, url, token } = running;
  const workspace = await getDefaultWorkspace(app.metadata);
  const admin = await getFirstAdmin(app.metadata, workspace);
  const parts = { store: app.metadata, clock: app.clock, random: app.random };
  await setRateLimit(parts, fromCommandLine(workspace, admin), MAX_RATE_LIMIT);

  const files = ARTIFACTS.map((name) => [name, join(folder, `${name}.json`)]);
  const options = Object.fromEntries(files.filter(([, path = ""]) => existsSync(path)));
  const connector = await addConnector(
    { store: app.metadata, findConnectorType, clock: app.clock },
    fromCommandLine(workspace, admin),
    { type: "dbt", name: "project", options, test: false },
    new AbortController().signal,
  );
  const started = performance.now();
  const { id } = await app.syncs.trigger({ workspaceId: workspace.id, connectorId: connector.id });
  const sync = await app.queue.wait(workspace.id, id);
  const crawlMs = performance.now() - started;
  if (sync.status !== "completed") throw new Error(`the crawl of ${folder} ended ${sync.status}`);

  const list = async (types: readonly CatalogNode["type"][]) =>
    (await app.graph.listNodes(workspace.id, { types }, { after: null, limit: 1_000_000 })).items;
  const columns = Map.groupBy(await list(["column"]), ({ parentId }) => parentId ?? "");
  const assets = await list(["table", "model"]);

  async function drop(columnId: string): Promise<Told[]> {
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ query: DROP, variables: { id: columnId } }),
    });
    const { data, errors } = (await response.json()) as Answer;
    if (data === undefined || errors !== undefined) throw new Error(`no impact: ${JSON.stringify(errors)}`);
    if (data.impact.truncated) throw new Error("the impact was cut");
    return data.impact.affected;
  }
  async function sourcesOf({ id: column }: CatalogNode): Promise<{ node: CatalogNode; uses: readonly ColumnUse[] }[]> {
    const query = { id: column, direction: "upstream", first: 1_000, after: null } as const;
    const [found] = await app.graph.loadNeighbours(workspace.id, [query]);
    return (found?.items ?? []).filter(({ node }) => node.type === "column");
  }
  return { sync, crawlMs, assets, columns, drop, sourcesOf, close: running.close };
}
