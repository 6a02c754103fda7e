/** A graph on SQLite that all tests of a process share. Each test writes to its own workspace. */
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { CopyableGraph } from "../../src/graph/graph-copy.ts";
import { openSqliteGraph } from "../../src/graph/sqlite/index.ts";

let shared: Promise<CopyableGraph> | null = null;

/** It stays open until the process ends, because its threads take longer to start than most tests take. */
export function getSharedGraph(): Promise<CopyableGraph> {
  return (shared ??= open());
}

async function open(): Promise<CopyableGraph> {
  const folder = await mkdtemp(join(tmpdir(), "tributary-graph-"));
  process.once("exit", () => rmSync(folder, { recursive: true }));
  return openSqliteGraph({ path: join(folder, "graph.db") });
}
