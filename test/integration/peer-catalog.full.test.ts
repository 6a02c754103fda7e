import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it } from "vitest";

import { type Question, sendAll, startOurs } from "../../bench/peers/catalogs.ts";
import { HUB, makeEvents, tableName } from "../../bench/peers/events.ts";
import { createReference } from "../../bench/peers/reference.ts";

const TABLES = 40;
const CONNECTIONS = 4;

it("The events that compare catalogs are answered as the benchmark expects", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "tributary-peers-"));
  const catalog = await startOurs(folder.path);
  try {
    const { pipelines, bodies } = makeEvents(TABLES);
    await sendAll(catalog, bodies, CONNECTIONS);
    const reference = createReference(pipelines);
    const held = async (question: Question): Promise<number> =>
      catalog.check(question, await catalog.ask(question), reference);
    expect(await held({ kind: "table", table: 35 })).toBe(1);
    expect(await held({ kind: "search", text: tableName(35) })).toBeGreaterThan(0);
    expect(await held({ kind: "lineage", table: HUB, depth: 3 })).toBeGreaterThan(5);
    expect(await held({ kind: "lineage", table: 35, depth: 1 })).toBeGreaterThan(0);
    expect(await held({ kind: "lineage", table: 35, depth: 10 })).toBeGreaterThan(5);
    expect(await held({ kind: "column", table: 35, column: 3, depth: 10 })).toBeGreaterThan(2);
    await expect(async () => held({ kind: "search", text: "nothing has this name" })).rejects.toThrow("found");
  } finally {
    await catalog.close();
  }
});
