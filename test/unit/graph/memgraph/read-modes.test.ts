/**
 * Which instance of a cluster answers a read. The driver tells every server the mode of each statement, so one without
 * a cluster shows it.
 */
import { expect, it, onTestFinished, vi } from "vitest";

import { openMemgraphGraph } from "../../../../src/graph/memgraph/index.ts";
import { toWorkspaceId } from "../../../../src/ids.ts";
import { startBoltServer } from "../../../support/bolt-server.ts";
import { findFreePort } from "../../../support/free-port.ts";

const W = toWorkspaceId("w");
const OWN_WRITES_MS = 10_000;

async function openGraph() {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const port = await findFreePort();
  const { modes } = await startBoltServer(port);
  const graph = await openMemgraphGraph({ url: `bolt://127.0.0.1:${port}` });
  onTestFinished(() => graph.close());
  /** The modes of the statements that this work sends. */
  const modesOf = async (work: () => Promise<unknown>): Promise<string[]> => {
    const before = modes.length;
    await work();
    return [...new Set(modes.slice(before))];
  };
  return { graph, modesOf };
}

it("A read goes to a replica, but to the main instance for ten seconds after a write of this process", async () => {
  const { graph, modesOf } = await openGraph();
  const list = () => modesOf(() => graph.listValues(W, "tag", 5));
  await graph.checkWrites();
  vi.advanceTimersByTime(OWN_WRITES_MS - 1);
  expect(await list()).toEqual(["WRITE"]);
  vi.advanceTimersByTime(1);
  expect(await list()).toEqual(["READ"]);
});

it("A copy is read from the main instance, because a replica may lack what another process wrote", async () => {
  const { graph, modesOf } = await openGraph();
  vi.advanceTimersByTime(OWN_WRITES_MS);
  const page = { after: null, limit: 5 };
  expect(await modesOf(() => graph.copyOut(W, "certifications", page))).toEqual(["WRITE"]);
  expect(await modesOf(() => graph.copyOut(W, "assets", page))).toEqual(["WRITE"]);
  expect(await modesOf(() => graph.countRows(W, "assets"))).toEqual(["WRITE"]);
});
