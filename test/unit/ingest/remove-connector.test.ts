import { expect, it } from "vitest";

import { fromCommandLine } from "../../../src/auth/origin.ts";
import { createConnectorRemoval } from "../../../src/ingest/remove-connector.ts";
import { unavailable } from "../../../src/errors.ts";
import type { CatalogGraph } from "../../../src/graph/catalog-graph.ts";
import { openCrawlBench } from "../../support/crawl-bench.ts";
import { scope, table } from "../../support/scripted-connector.ts";
import { enqueue } from "../../support/syncs.ts";

async function setUp() {
  const bench = await openCrawlBench();
  const { store, clock, scripted, workspace, admin, connector } = bench;
  const createRemoval = (graph: CatalogGraph) =>
    createConnectorRemoval({
      graph,
      store,
      clock,
      findConnectorType: scripted.find,
      queue: { nudge: () => {} },
      log: { error: () => {} },
    });
  await bench.crawl(scope("all", [table("a"), table("b")]));
  const find = () => store.connectors.findById(workspace.id, connector.id);
  return { ...bench, createRemoval, origin: fromCommandLine(workspace, admin), findConnector: find };
}

it("An interrupted removal is finished by a repetition or by the next start, and no crawl runs meanwhile", async () => {
  const { createRemoval, graph, origin, connector, findConnector, find, idOf, ...test } = await setUp();
  const queued = await enqueue(test, connector);
  const away = { ...graph, removeConnector: () => Promise.reject(unavailable("The graph store is away.")) };
  await expect(createRemoval(away).remove(origin, connector.id)).rejects.toMatchObject({ code: "unavailable" });
  expect(await findConnector()).toMatchObject({ removingAt: expect.any(String) });
  expect(await test.store.syncs.findById(test.workspace.id, queued.id)).toMatchObject({ status: "cancelled" });
  await expect(enqueue(test, connector)).rejects.toMatchObject({ code: "not_found" });
  await createRemoval(graph).resume();
  expect(await findConnector()).toBeNull();
  expect(await find(idOf("a"))).toBeNull();
  await expect(createRemoval(graph).remove(origin, connector.id)).rejects.toMatchObject({ code: "not_found" });
});

it("Concurrent requests to remove a connector get the result of the same removal", async () => {
  const { createRemoval, graph, origin, connector, findConnector } = await setUp();
  const removal = createRemoval(graph);
  expect(await Promise.all([removal.remove(origin, connector.id), removal.remove(origin, connector.id)])).toEqual([
    2, 2,
  ]);
  expect(await findConnector()).toBeNull();
});
