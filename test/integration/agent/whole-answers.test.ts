/** What an answer leaves out, it tells: exact counts, or "at least" where not all was looked at. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createAgent } from "../../../src/agent/agent.ts";
import type { AgentAnswer } from "../../../src/agent/answer.ts";
import type { CatalogGraph } from "../../../src/graph/catalog-graph.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { columnOf, edgeOf, newWorkspace, nodeOf, stampOf } from "../../support/graph-writes.ts";

const READERS = 2_100;
const NOISE = 120;

let running: RunningApp;
let graph: CatalogGraph;
const workspace = newWorkspace();

beforeAll(async () => {
  running = await startApp();
  ({ graph } = running.app);
  const hub = nodeOf(workspace, "table", "shop.raw.ledger");
  const readers = Array.from({ length: READERS }, (_, i) =>
    nodeOf(workspace, "model", `shop.marts.reader_${String(i).padStart(4, "0")}`, { tags: ["nightly"] }),
  );
  const places = Array.from({ length: NOISE }, (_, i) => nodeOf(workspace, "table", `shop.raw.place_${i}`));
  const columns = places.map((place) => columnOf(workspace, place, "iban", 1));
  const lone = columnOf(workspace, hub, "journal_key", 1);
  const stamp = stampOf(workspace, "dbt", 1);
  await graph.writeNodes(stamp, "all", [hub, ...readers, ...places, ...columns, lone]);
  await graph.writeEdges(
    stamp,
    "all",
    readers.map((reader) => edgeOf(hub, reader, "derives")),
  );
});
afterAll(() => running.close());

function ask(query: string, maxLineageNodes = 10_000): Promise<AgentAnswer> {
  const { metadata, random } = running.app;
  const agent = createAgent({ graph, metadata, random, maxLineageNodes });
  const context = { assetIds: [], tags: [], workspaceArea: null };
  return agent.ask({ query, context }, { workspace, mayWrite: false });
}

describe("what lineage reaches", () => {
  it("is counted to the last, however much it is", async () => {
    expect((await ask("what uses ledger?")).answer).toMatch(/^2,100 assets use `ledger`/);
  });

  it("is filtered to the last", async () => {
    expect((await ask("which models tagged nightly use ledger?")).answer).toMatch(/^2,100 models tagged nightly use/);
  });

  it("is told to be a part where the walk was cut", async () => {
    const { answer } = await ask("what uses ledger?", 100);
    expect(answer).toMatch(/^At least 100 assets use `ledger`/);
    expect(answer).toContain("Only the nearest 100 of the 2,100");
  });

  it("is not denied where the walk was cut", async () => {
    const { answer } = await ask("which dashboards use ledger?", 100);
    expect(answer).toMatch(/^No dashboards use `ledger`, among those that were looked at/);
  });

  it("is cited in part, and the answer says so", async () => {
    const { answer, citations } = await ask("what uses ledger?");
    expect(citations).toHaveLength(30);
    expect(answer).toMatch(/Cited are 30 of the at least \d+ assets that this is about\.$/);
  });
});

describe("a path", () => {
  it("is found from its other end where its first has more lineage than is walked", async () => {
    expect((await ask("does reader_2099 use ledger?", 100)).answer).toMatch(/^Yes, `reader_2099` uses `ledger`/);
  });
});

describe("what breaks", () => {
  it("is counted whole, and its parts are told of the first", async () => {
    const { answer } = await ask("what breaks if I drop ledger?");
    expect(answer).toMatch(/2,100 assets and columns are affected/);
    expect(answer).toMatch(/Among the first 1,000, the worst hit first: 1,000 models/);
  });
});

describe("a column that is named without its table", () => {
  it("is told with how many tables have one", async () => {
    const { answer } = await ask("what is the column iban?");
    expect(answer).toMatch(/120 tables and models have a column `iban`: I took `place_\d+\.iban`; .* and 95 more\./);
  });

  it("is where it is, to the last", async () => {
    expect((await ask("which tables have an iban column?")).answer).toMatch(/is in 120 tables and models: /);
  });

  it("needs no more where its table is told, or where it is the only one", async () => {
    expect((await ask("what is place_7.iban?")).answer).not.toMatch(/I took/);
    expect((await ask("what is the iban column of place_7?")).answer).not.toMatch(/I took/);
    expect((await ask("what is the column journal_key?")).answer).not.toMatch(/I took/);
  });
});
