/** Copies from and to the server of `TEST_MEMGRAPH_URL`. The server may hold other data. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe } from "vitest";

import { createBolt } from "../../src/graph/memgraph/bolt.ts";
import { openMemgraphGraph } from "../../src/graph/memgraph/index.ts";
import { openSqliteGraph } from "../../src/graph/sqlite/index.ts";
import type { WorkspaceId } from "../../src/ids.ts";
import { describeGraphCopy } from "./graph-copy.ts";

const url = process.env["TEST_MEMGRAPH_URL"] ?? "";
/** A query costs a round trip, and a run needs several hundred. */
const FEW = 12;

const openMemgraph = () => openMemgraphGraph({ url });

async function clear(workspace: WorkspaceId): Promise<void> {
  const bolt = createBolt({ url });
  await bolt.write((run) => run("MATCH (n) WHERE n.workspace = $workspace DETACH DELETE n", { workspace }));
  await bolt.close();
}

describe.skipIf(url === "")("copies with Memgraph, on the server of TEST_MEMGRAPH_URL", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "tributary-copy-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const openSqlite = (name: string) => () => openSqliteGraph({ path: join(folder, `${name}.db`) });

  describeGraphCopy("from SQLite to Memgraph", { openSource: openSqlite("source"), openTarget: openMemgraph }, FEW);
  describeGraphCopy("from Memgraph to SQLite", { openSource: openMemgraph, openTarget: openSqlite("target") }, FEW);
  describeGraphCopy("from Memgraph to Memgraph", { openSource: openMemgraph, openTarget: openMemgraph, clear }, FEW);
});
