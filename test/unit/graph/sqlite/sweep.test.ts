/** What a sweep leaves of many edges and references. It looks at them in steps. */
import { join } from "node:path";

import { expect, it } from "vitest";

import { openSqliteGraph } from "../../../../src/graph/sqlite/index.ts";
import { openGraphFile } from "../../../../src/graph/sqlite/schema.ts";
import { columnOf, edgeOf, newWorkspace, nodeOf, stampOf } from "../../../support/graph-writes.ts";
import { makeTemporaryFolder } from "../../../support/metadata-store.ts";

/** More than one step looks at. */
const USERS = 5_200;

it("A sweep removes the edges and references that the sync no longer stated, and no others, however many there are", async () => {
  const path = join(await makeTemporaryFolder(), "graph.sqlite");
  const graph = await openSqliteGraph({ path });
  const w = newWorkspace();
  const hub = nodeOf(w, "table", "hub");
  const column = columnOf(w, hub, "id", 1);
  const users = Array.from({ length: USERS }, (_, i) => nodeOf(w, "table", `user_${i}`));
  const crawl = async (sync: number, isStated: (at: number) => boolean): Promise<void> => {
    const stamp = stampOf(w, "dbt", sync);
    const stated = users.filter((_, at) => isStated(at));
    await graph.writeNodes(stamp, "all", [hub, column, ...users]);
    await graph.writeEdges(
      stamp,
      "all",
      stated.map((user) => edgeOf(hub, user, "derives")),
    );
    await graph.writeReferences(
      stamp,
      "all",
      stated.map(({ id }) => ({ from: column.id, to: id })),
    );
    await graph.sweep(stamp, "all");
  };
  // More in a row than one step deletes, some far apart, and the last.
  const isGone = (at: number): boolean => at < 120 || at % 700 === 0 || at === USERS - 1;
  await crawl(1, () => true);
  await crawl(2, (at) => !isGone(at));
  await graph.close();

  const file = openGraphFile(path);
  const left = (table: string): unknown[] =>
    file
      .prepare(`SELECT n.id FROM ${table} JOIN nodes AS n ON n.seq = to_node ORDER BY to_node`)
      .all()
      .map(({ id }) => id);
  const expected = users.filter((_, at) => !isGone(at)).map(({ id }) => id);
  expect(left("edges")).toEqual(expected);
  expect(left("column_references")).toEqual(expected);
  file.close();
});
