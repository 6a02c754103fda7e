/** The embedded graph's errors about files that it cannot use. */
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { parseSearch } from "../../src/catalog/search.ts";
import { openSqliteGraph } from "../../src/graph/sqlite/index.ts";
import { toNodeId } from "../../src/ids.ts";
import { newWorkspace, nodeOf, stampOf } from "../support/graph-writes.ts";
import { present } from "../support/present.ts";

describe("the file of the embedded graph", () => {
  let folder = "";
  let path = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tributary-file-"));
    path = join(folder, "graph.db");
  });
  afterEach(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true, force: true });
  });

  const alter = (sql: string): void => {
    const db = new DatabaseSync(path);
    db.exec(sql);
    db.close();
  };
  const make = async (): Promise<void> => (await openSqliteGraph({ path })).close();
  const open = async (): Promise<never> => {
    const graph = await openSqliteGraph({ path });
    await graph.close();
    throw new Error("the file was taken");
  };

  it("A graph file that is no database is refused", async () => {
    writeFileSync(path, "these are notes of my holidays, ".repeat(200));
    await expect(open()).rejects.toMatchObject({ code: "unavailable", message: expect.stringContaining("is damaged") });
  });

  it("A graph file of another application is refused", async () => {
    alter("CREATE TABLE recipes (title TEXT)");
    await expect(open()).rejects.toMatchObject({
      code: "unavailable",
      message:
        "The graph store belongs to another application, or to an older version of Tributary whose files are no longer read.",
      location: path,
    });
  });

  it("A graph file of a newer version is refused", async () => {
    await make();
    alter("PRAGMA user_version = 1000");
    await expect(open()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("was written by a newer version"),
    });
  });

  it("A graph file that does not say which version wrote it is refused", async () => {
    await make();
    alter("PRAGMA user_version = 0");
    await expect(open()).rejects.toMatchObject({ code: "unavailable", message: expect.stringContaining("is damaged") });
  });

  it("A graph file in a folder that does not exist is refused", async () => {
    path = join(folder, "missing", "graph.db");
    await expect(open()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("cannot be opened"),
    });
  });

  it.skipIf(process.getuid?.() === 0)(
    "A graph file that cannot be written is refused (skipped for root, who may)",
    async () => {
      await make();
      chmodSync(path, 0o400);
      await expect(open()).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("cannot be written"),
      });
    },
  );

  it("A graph file that is found to be damaged later fails reads and writes with the same reason", async () => {
    const workspace = newWorkspace();
    const stamp = stampOf(workspace, "dbt", 1);
    const nodes = Array.from({ length: 400 }, (_, i) => nodeOf(workspace, "table", `t${i}`));
    const query = present(parseSearch("t3"));
    const page = { after: null, limit: 200 };
    const graph = await openSqliteGraph({ path });
    await graph.writeNodes(stamp, "all", nodes);
    await graph.close();
    // The schema at the beginning of the file stays readable.
    const { size } = statSync(path);
    const file = openSync(path, "r+");
    writeSync(file, Buffer.alloc(size / 2, 0xff), 0, size / 2, size / 2);
    closeSync(file);

    const damaged = {
      code: "unavailable",
      message: "The graph store is damaged: it is not a valid database.",
      location: path,
    };
    const again = await openSqliteGraph({ path });
    const ids = nodes.map((node) => node.id);
    await expect(again.loadNodes(workspace, ids)).rejects.toMatchObject(damaged);
    await expect(again.searchNodes(workspace, { types: "asset" }, query, page)).rejects.toMatchObject(damaged);
    await expect(again.sweep(stampOf(workspace, "dbt", 2), "all")).rejects.toMatchObject(damaged);
    await again.close();
  });

  it("A graph file cannot be reached after it is closed", async () => {
    const graph = await openSqliteGraph({ path });
    await graph.close();
    await graph.close();
    await expect(graph.countNodes(newWorkspace())).rejects.toMatchObject({ code: "unavailable" });
    await expect(graph.loadNodes(newWorkspace(), [toNodeId("x")])).rejects.toMatchObject({ code: "unavailable" });
  });

  it("A graph file may be open several times: what one writes the other reads at once", async () => {
    const workspace = newWorkspace();
    const [here, there] = await Promise.all([openSqliteGraph({ path }), openSqliteGraph({ path })]);
    const chunks = [0, 1, 2, 3].map((chunk) =>
      Array.from({ length: 60 }, (_, i) => nodeOf(workspace, "table", `c${chunk}.t${i}`)),
    );
    // Both write at the same time, half of the nodes each.
    await Promise.all(
      chunks.map((nodes, i) => (i % 2 === 0 ? here : there).writeNodes(stampOf(workspace, `c${i}`, 1), "all", nodes)),
    );
    for (const graph of [here, there]) expect((await graph.countNodes(workspace)).table).toBe(240);
    await Promise.all([here.close(), there.close()]);
  });
});
