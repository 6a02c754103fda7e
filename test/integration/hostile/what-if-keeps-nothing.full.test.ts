/** A what-if writes nothing to a store, because its caller may only read. */
import { join } from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";

import { openDatabase } from "../../../src/sqlite/database.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { dropAmount, editShop } from "../../support/edited-shop.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { present } from "../../support/present.ts";

let app: RunningApp;
let ask: GraphqlClient;
beforeAll(async () => {
  app = await startApp({ sample: true });
  ask = createGraphqlClient({ ...app, token: await app.createToken(["read"]) });
});
afterAll(() => app.close());

/** Every answer of the SQL reader that the metadata store keeps. */
function keptAnswers(): unknown[] {
  const db = openDatabase(
    { name: "metadata store", path: join(app.app.settings.dataDir, "metadata.sqlite") },
    { readOnly: true },
  );
  try {
    return db.prepare("SELECT * FROM column_lineage ORDER BY key").all();
  } finally {
    db.close();
  }
}

async function assess(manifest: string) {
  const { metadata } = app.app;
  const { id: workspace } = present(await metadata.workspaces.findByName("default"));
  const { id } = present(await metadata.connectors.findByName(workspace, "shop"));
  return ask(
    `query ($id: ID!, $manifest: String!) { manifestImpact(connectorId: $id, manifest: $manifest) { changes { fqn } } }`,
    { id, manifest },
  );
}

it("A manifest with SQL that no crawl has read leaves the stores as they were", async () => {
  const before = keptAnswers();
  expect(before.length).toBeGreaterThan(0);
  const { codes, data } = await assess(editShop(dropAmount));
  expect(codes).toEqual([]);
  expect(JSON.stringify(data)).toContain("shop.staging.stg_stripe__refunds.amount");
  expect(keptAnswers()).toEqual(before);
});
