/** A process that is killed while it writes loses no acknowledged write. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";

import { afterAll, expect, it } from "vitest";

import type { CatalogGraph } from "../../src/graph/catalog-graph.ts";
import { openSqliteGraph } from "../../src/graph/sqlite/index.ts";
import { NODE_OF_ROWID } from "../../src/graph/sqlite/search-blocks.ts";
import type { WorkspaceId } from "../../src/ids.ts";
import { CHAIN_LENGTH, chainOf } from "../support/chain.ts";
import { newWorkspace } from "../support/graph-writes.ts";

const WRITER = new URL("../support/write-until-killed.ts", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "tributary-kill-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Writes chains from a number on, kills the writer after that many acknowledgements, and returns all acknowledged
 * chains.
 */
async function writeAndKill(path: string, workspace: WorkspaceId, first: number, chains: number): Promise<number[]> {
  const child = spawn(process.execPath, [WRITER, path, workspace, String(first)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  const acknowledged: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(Number(line));
    // By now it is writing the next chain.
    if (acknowledged.length === chains) child.kill("SIGKILL");
  }
  expect(await exit).toEqual([null, "SIGKILL"]);
  return acknowledged;
}

async function expectWhole(graph: CatalogGraph, workspace: WorkspaceId, number: number): Promise<void> {
  const { nodes, edges } = chainOf(workspace, number);
  const found = await graph.loadNodes(
    workspace,
    nodes.map((node) => node.id),
  );
  expect(found.map((node) => node?.fqn)).toEqual(nodes.map((node) => node.facts.fqn));
  const starts = edges.map((edge) => ({ id: edge.from, direction: "downstream", first: 2, after: null }) as const);
  const neighbours = await graph.loadNeighbours(workspace, starts);
  expect(neighbours.map(({ items }) => items.map(({ node }) => node.id))).toEqual(edges.map((edge) => [edge.to]));
}

it("Every acknowledged node and edge is kept if the process is killed while it writes", async () => {
  const path = join(folder, "graph.db");
  const workspace = newWorkspace();
  const acknowledged: number[] = [];
  for (const chains of [1, 3, 2]) {
    const said = await writeAndKill(path, workspace, (acknowledged.at(-1) ?? -1) + 1, chains);
    expect(said.length).toBeGreaterThanOrEqual(chains);
    acknowledged.push(...said);

    const graph = await openSqliteGraph({ path });
    for (const number of acknowledged) await expectWhole(graph, workspace, number);
    const { table } = await graph.countNodes(workspace);
    expect(table).toBeGreaterThanOrEqual(acknowledged.length * CHAIN_LENGTH);
    await graph.close();

    const db = new DatabaseSync(path);
    expect(db.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    // Throws if the full-text index is damaged.
    db.exec("INSERT INTO search (search) VALUES ('integrity-check')");
    // A rowid of the index ends with that of the node.
    const searched = db.prepare(`SELECT rowid ${NODE_OF_ROWID} AS seq FROM search ORDER BY seq`).all();
    expect(searched).toEqual(db.prepare("SELECT seq FROM nodes WHERE held ORDER BY seq").all());
    db.close();
  }
});
