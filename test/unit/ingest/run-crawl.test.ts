import { describe, expect, it } from "vitest";

import { CrawlFailure, type CrawlEvent } from "../../../src/connectors/connector.ts";
import { createCrawlRunner } from "../../../src/ingest/run-crawl.ts";
import { unavailable } from "../../../src/errors.ts";
import type { CrawlProgress } from "../../../src/metadata/records.ts";
import { SyncCancelled } from "../../../src/ingest/queue/crawler-queue.ts";
import { openCrawlBench } from "../../support/crawl-bench.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";
import { edge, faultOf, scope, table } from "../../support/scripted-connector.ts";
import { enqueue } from "../../support/syncs.ts";

const described = (description: string) => scope("all", [table("a", { description }), table("b")]);
const progressAt = (fraction: number): CrawlEvent => ({ kind: "progress", fraction, label: "models" });
const stateOf = (hash: string): CrawlEvent => ({ kind: "state", state: { hash } });
const away = (): Promise<never> => Promise.reject(unavailable("The graph store is away."));

describe("Crawls", () => {
  it("A crawl writes assets with their columns, and the edges between them", async () => {
    const { crawl, graph, find, idOf, columnIdOf, workspace } = await openCrawlBench();
    const outcome = await crawl(
      scope("all", [
        table("orders", { description: "What was bought", tags: ["core"] }, ["id", "amount"]),
        table("revenue"),
        edge("orders", "revenue"),
      ]),
    );
    expect(outcome).toMatchObject({ status: "completed", assetsDiscovered: 4, assetsUpdated: 4, errors: [] });
    expect(await find(idOf("orders"))).toMatchObject({
      fqn: "shop.public.orders",
      description: "What was bought",
      sourceConnector: "shop",
    });
    expect(await find(columnIdOf("orders", "amount"))).toMatchObject({
      type: "column",
      name: "amount",
      fqn: "shop.public.orders.amount",
      parentId: idOf("orders"),
      ordinal: 1,
      dataType: "text",
      platform: "postgres",
    });
    const walk = { root: idOf("orders"), direction: "downstream", depth: 3, maxNodes: 10 } as const;
    expect((await graph.walk(workspace.id, walk))?.nodes.map(({ name }) => name)).toEqual(["revenue"]);
    const byColumn = { folded: "amount", path: "amount", prefix: "amount", terms: ["amount"] };
    const found = await graph.searchNodes(workspace.id, { types: ["table"] }, byColumn, { after: null, limit: 5 });
    expect(found.items.map(({ node }) => node.name)).toEqual(["orders"]);
  });

  it("A crawl writes a table with very many columns to the graph in small batches", async () => {
    const graph = createReferenceGraph();
    const batches: number[] = [];
    const { crawl } = await openCrawlBench({
      ...graph,
      writeNodes: (_stamp, _scope, nodes) => Promise.resolve(void batches.push(nodes.length)),
    });
    const columns = Array.from({ length: 10_000 }, (_, i) => `c${i}`);
    expect(await crawl(scope("all", [table("wide", {}, columns)]))).toMatchObject({ status: "completed", errors: [] });
    expect(batches.reduce((sum, batch) => sum + batch, 0)).toBe(10_001);
    expect(Math.max(...batches)).toBeLessThanOrEqual(1_000);
  });

  it("A crawl counts what it discovered, changed and removed", async () => {
    const { crawl } = await openCrawlBench();
    const first = scope("all", [table("a", {}, ["x", "y"]), table("b"), table("c")]);
    expect(await crawl(first)).toMatchObject({ assetsDiscovered: 5, assetsUpdated: 5, assetsRemoved: 0 });
    expect(await crawl(first)).toMatchObject({ assetsDiscovered: 5, assetsUpdated: 0, assetsRemoved: 0 });
    const changed = scope("all", [table("a", { description: "new" }, ["x", "y"]), table("b"), table("d")]);
    expect(await crawl(changed)).toMatchObject({ assetsDiscovered: 5, assetsUpdated: 2, assetsRemoved: 1 });
  });

  it("A crawl writes several batches, with edges between them", async () => {
    const { crawl, graph, workspace } = await openCrawlBench();
    const names = Array.from({ length: 1_200 }, (_, i) => `t${i}`);
    const edges = names.slice(1).map((name, i) => edge(`t${i}`, name));
    const outcome = await crawl(scope("all", [...names.map((name) => table(name)), ...edges]));
    expect(outcome).toMatchObject({ assetsDiscovered: 1_200, errorsTotal: 0 });
    expect((await graph.countNodes(workspace.id)).table).toBe(1_200);
  });

  it("A crawl sweeps only the scopes that ended complete", async () => {
    const { crawl, find, idOf } = await openCrawlBench();
    await crawl([...scope("one", [table("a"), table("b")]), ...scope("two", [table("c"), table("d")])]);
    const second = await crawl([...scope("one", [table("a")]), ...scope("two", [table("c")], false)]);
    expect(second.assetsRemoved).toBe(1);
    expect(await find(idOf("b"))).toBeNull();
    expect(await find(idOf("d"))).not.toBeNull();
  });

  it("A crawl that left out an asset does not sweep, because an earlier crawl may have stated it correctly", async () => {
    const { crawl, find, idOf } = await openCrawlBench();
    await crawl(scope("all", [table("a"), table("b")]));
    const outcome = await crawl(scope("all", [table("a"), table("bad\0name")]));
    expect(outcome).toMatchObject({ status: "completed", errorsTotal: 1 });
    expect(outcome.errors[0]).toMatchObject({ code: "invalid_name", object: "shop.public.bad\0name" });
    expect(await find(idOf("b"))).not.toBeNull();
  });

  it("A cancelled sync keeps what it wrote, and sweeps nothing", async () => {
    const { crawl, find, idOf } = await openCrawlBench();
    await crawl([...scope("one", [table("a"), table("b")]), ...scope("two", [table("c")])]);
    const stop = new AbortController();
    const events = function* (): Generator<CrawlEvent> {
      yield* scope("one", [table("a", { description: "new" }), table("b")]);
      yield { kind: "begin", scope: "two" };
      stop.abort(new SyncCancelled());
      yield { kind: "end", scope: "two", complete: true };
    };
    expect(await crawl(events, { signal: stop.signal })).toMatchObject({
      status: "cancelled",
      assetsDiscovered: 2,
      errorsTotal: 0,
    });
    expect(await find(idOf("a"))).toMatchObject({ description: "new" });
    expect(await find(idOf("c"))).not.toBeNull();
  });

  it("A crawl keeps what a person edited when the asset changes, is removed and returns", async () => {
    const { crawl, graph, find, idOf, workspace, clock } = await openCrawlBench();
    await crawl(described("from the source"));
    const curation = { description: "from a person", certification: "certified" } as const;
    await graph.curate(workspace.id, idOf("a"), curation, {
      by: "ada@example.com",
      at: clock.now().toISOString(),
    });
    expect(await crawl(described("from the source, changed"))).toMatchObject({ status: "completed" });
    expect(await find(idOf("a"))).toMatchObject(curation);
    await crawl(scope("all", [table("b")]));
    expect(await find(idOf("a"))).toBeNull();
    await crawl(described("back"));
    expect(await find(idOf("a"))).toMatchObject(curation);
  });

  it("A crawl reports each refused edge by its object, and continues", async () => {
    const { crawl } = await openCrawlBench();
    const outcome = await crawl(scope("all", [table("a"), edge("a", ""), edge("a", "a"), table("b")]));
    expect(outcome).toMatchObject({ status: "completed", assetsDiscovered: 2, errorsTotal: 1 });
    expect(outcome.errors[0]).toMatchObject({ code: "refused_edge", object: "a->", stage: "write" });
  });

  it("A crawl keeps the first hundred errors, and the number of all", async () => {
    const { crawl } = await openCrawlBench();
    const outcome = await crawl(Array.from({ length: 250 }, (_, i) => faultOf(`model.${i}`)));
    expect(outcome.errorsTotal).toBe(250);
    expect(outcome.errors.map(({ object }) => object)).toEqual(Array.from({ length: 100 }, (_, i) => `model.${i}`));
  });

  it("A crawl keeps errors rather than warnings when there are too many", async () => {
    const { crawl } = await openCrawlBench();
    const warnings = Array.from({ length: 150 }, (_, i) => faultOf(`warning.${i}`, "warning"));
    const outcome = await crawl([faultOf("error.0"), ...warnings, faultOf("error.1"), ...warnings, faultOf("error.2")]);
    expect(outcome.errorsTotal).toBe(303);
    const kept = outcome.errors.map(({ object }) => object);
    expect(kept).toEqual(["error.0", ...Array.from({ length: 97 }, (_, i) => `warning.${i}`), "error.1", "error.2"]);
  });

  it("A crawl passes on its progress, limited to 0 to 1", async () => {
    const { crawl } = await openCrawlBench();
    const told: CrawlProgress[] = [];
    await crawl([progressAt(0.5), progressAt(7), progressAt(-1)], { told });
    expect(told.map(({ fraction }) => fraction)).toEqual([0.5, 1, 0]);
  });
});

describe("Crawls of a faulty source", () => {
  it.each([
    ["a name of 1,001 characters", table("n".repeat(1_001))],
    ["an empty name", table("")],
    ["a lone surrogate in a name", table("a\ud800")],
    ["a line break in a name", table("a\nb")],
  ])("A crawl leaves out %s with an error, and keeps the rest", async (_, bad) => {
    const { crawl, find, idOf } = await openCrawlBench();
    const outcome = await crawl(scope("all", [table("a"), bad, table("b")]));
    expect(outcome).toMatchObject({ status: "completed", assetsDiscovered: 2, errorsTotal: 1 });
    expect(outcome.errors[0]).toMatchObject({ code: "invalid_name", severity: "error" });
    expect(outcome.errors[0]?.object.isWellFormed()).toBe(true);
    expect(await find(idOf("b"))).not.toBeNull();
  });

  it("A crawl leaves out a column with a bad name, and keeps its table and the other columns", async () => {
    const { crawl, find, columnIdOf } = await openCrawlBench();
    const outcome = await crawl(scope("all", [table("a", {}, ["x", "", "z"])]));
    expect(outcome).toMatchObject({ assetsDiscovered: 3, errorsTotal: 1 });
    expect(await find(columnIdOf("a", "z"))).toMatchObject({ ordinal: 2 });
  });

  it("A crawl cuts a description of over 100,000 characters, and keeps the asset", async () => {
    const { crawl, find, idOf } = await openCrawlBench();
    const outcome = await crawl(
      scope("all", [
        table("a", { description: "d".repeat(100_000) }),
        table("b", { description: "d".repeat(100_001) }),
      ]),
    );
    expect(outcome.errors).toMatchObject([{ code: "description_too_long", object: "shop.public.b" }]);
    expect((await find(idOf("a")))?.description).toHaveLength(100_000);
    expect((await find(idOf("b")))?.description).toHaveLength(100_000);
  });

  it("A crawl corrects broken Unicode in meta, and leaves out a meta of over 100,000 characters", async () => {
    const { crawl, find, idOf } = await openCrawlBench();
    const outcome = await crawl(
      scope("all", [
        table("a", { meta: { "k\ud800": ["v\u0000", { deep: "\udfff" }, 1, null] } }),
        table("b", { meta: { text: "m".repeat(100_000) } }),
      ]),
    );
    expect(outcome.errors).toMatchObject([{ code: "meta_too_long", object: "shop.public.b" }]);
    expect((await find(idOf("a")))?.meta).toEqual({ "k\ufffd": ["v", { deep: "\ufffd" }, 1, null] });
    expect((await find(idOf("b")))?.meta).toEqual({});
  });

  it("A crawl accepts a certification time in any of the usual forms, and ignores other text", async () => {
    const { crawl, find, idOf } = await openCrawlBench();
    await crawl(
      scope("all", [
        table("a", { certification: "certified", certifiedAt: "2026-01-12" }),
        table("b", { certification: "certified", certifiedAt: "last week" }),
      ]),
    );
    expect((await find(idOf("a")))?.certifiedAt).toBe("2026-01-12T00:00:00.000Z");
    expect((await find(idOf("b")))?.certifiedAt).toBeNull();
  });

  it("A crawl keeps an owner that is not an e-mail address as a name", async () => {
    const { crawl, find, idOf } = await openCrawlBench();
    await crawl(
      scope("all", [table("a", { owner: "data team" }), table("b", { owner: "ann@example.com", ownerName: "Ann" })]),
    );
    expect(await find(idOf("a"))).toMatchObject({ owner: "", ownerName: "data team" });
    expect(await find(idOf("b"))).toMatchObject({ owner: "ann@example.com", ownerName: "Ann" });
  });

  it("A crawl corrects broken Unicode in texts", async () => {
    const { crawl, find, idOf } = await openCrawlBench();
    await crawl(scope("all", [table("a", { description: "a\ud800b\0c", tags: ["ok", "no\ntag"] })]));
    expect(await find(idOf("a"))).toMatchObject({ description: "a\ufffdbc", tags: ["ok"] });
  });
});

describe("Crawls that fail", () => {
  it("A failed crawl ends with the connector's own reason", async () => {
    const { crawl, logged } = await openCrawlBench();
    const error = {
      code: "unreadable",
      message: "No such file.",
      object: "",
      stage: "connect",
      severity: "error",
      retryable: true,
    } as const;
    const outcome = await crawl(function* () {
      for (let i = 0; i < 150; i++) yield faultOf(`model.${i}`);
      throw new CrawlFailure(error);
    });
    expect(outcome).toMatchObject({ status: "failed", errorsTotal: 151 });
    expect(outcome.errors).toHaveLength(100);
    expect(outcome.errors.at(-1)).toMatchObject(error);
    expect(logged).toMatchObject([{ errorsTotal: 151, lastError: "No such file." }]);
  });

  it("A failed crawl keeps what was written, counts it, and sweeps nothing", async () => {
    const { crawl, find, idOf } = await openCrawlBench();
    await crawl(scope("all", [table("a"), table("b")]));
    const outcome = await crawl(function* () {
      yield { kind: "begin", scope: "all" };
      yield table("c");
      yield edge("c", "c");
      throw new Error("broken");
    });
    expect(outcome).toMatchObject({ status: "failed", assetsRemoved: 0 });
    expect(await find(idOf("a"))).not.toBeNull();
  });

  it("An unexpected error of a crawl is logged, and its text is not shown", async () => {
    const { crawl, logged } = await openCrawlBench();
    const outcome = await crawl(function* () {
      yield faultOf("model.a");
      throw new Error("password=hunter2 at /srv/secret.ts:1");
    });
    expect(outcome.errors.at(-1)).toMatchObject({ code: "internal_error", retryable: false });
    expect(JSON.stringify(outcome)).not.toContain("hunter2");
    const told = { lastError: "The sync stopped because of an internal error." };
    expect(logged).toMatchObject([{ err: { message: expect.stringContaining("hunter2") } }, told]);
  });

  it("A crawl may be tried again if the graph cannot be reached", async () => {
    const { crawl } = await openCrawlBench({ ...createReferenceGraph(), writeNodes: away, tally: away });
    const outcome = await crawl(scope("all", [table("a")]));
    expect(outcome).toMatchObject({ status: "failed", assetsDiscovered: 0, errorsTotal: 1 });
    expect(outcome.errors).toMatchObject([
      { code: "unavailable", retryable: true, message: "The graph store is away." },
    ]);
  });

  it("A crawl fails if the connector states something outside a scope", async () => {
    const { crawl, logged } = await openCrawlBench();
    expect(await crawl([table("a")])).toMatchObject({ status: "failed", errors: [{ code: "internal_error" }] });
    expect(logged).toMatchObject([{ err: expect.any(Error) }, { errorsTotal: 1 }]);
  });

  it("A crawl fails if the connector did not end a scope, because not all of it is written", async () => {
    const { crawl, logged } = await openCrawlBench();
    const outcome = await crawl([{ kind: "begin", scope: "all" }, table("a"), stateOf("one")]);
    expect(outcome).toMatchObject({ status: "failed", errors: [{ code: "internal_error" }], state: null });
    expect(logged).toMatchObject([{ err: expect.any(Error) }, { errorsTotal: 1 }]);
  });

  it("The location in an error is written to the log, and not to the sync", async () => {
    const { crawl, logged, store, workspace, connector } = await openCrawlBench();
    const location = "/srv/dbt/target/manifest.json";
    const stage = "connect" as const;
    const error = {
      code: "gone",
      message: "It is gone.",
      object: "a",
      stage,
      severity: "error",
      retryable: false,
      location,
    } as const;
    await crawl(function* () {
      yield { kind: "error", error: { ...error, code: "torn" } };
      throw new CrawlFailure(error);
    });
    expect(logged).toMatchObject([
      { location, code: "torn" },
      { location, code: "gone" },
      { errorsTotal: 2, lastError: "It is gone." },
    ]);
    const sync = await store.syncs.findLatest(workspace.id, connector.id);
    expect(sync?.errors).toHaveLength(2);
    expect(JSON.stringify(sync)).not.toContain("/srv");
  });

  it("A crawl with invalid options lists them", async () => {
    const test = await openCrawlBench();
    await test.crawl([]);
    const run = createCrawlRunner({
      ...test,
      findConnectorType: test.scripted.find,
      log: { error: () => {}, warn: () => {}, info: () => {} },
    });
    const bad = await test.addConnector("bad", { manifest: "x", retries: "many" });
    const outcome = await run(await enqueue(test, bad), new AbortController().signal, () => {});
    expect(outcome.errors).toMatchObject([
      { code: "invalid_options", message: expect.stringMatching(/manifest.*retries/) },
    ]);
  });

  it("A crawl stops when it is aborted", async () => {
    const { crawl, store, workspace, connector } = await openCrawlBench();
    const stop = new AbortController();
    const stopping = crawl(
      function* () {
        yield* scope("one", [table("a")]);
        stop.abort();
        yield* scope("two", [table("b")]);
      },
      { signal: stop.signal },
    );
    await expect(stopping).rejects.toThrow(/abort/);
    expect(await store.syncs.findLatest(workspace.id, connector.id)).toMatchObject({ status: "queued" });
  });
});

/** A crawl that states these tables and stores this state. */
const leaving = (hash: string, names: readonly string[] = ["a", "b"]): CrawlEvent[] => [
  ...scope(
    "all",
    names.map((name) => table(name)),
  ),
  stateOf(hash),
];

describe("State of a connector", () => {
  it("A connector's state is passed to the next incremental crawl, even after one that found nothing new", async () => {
    const { crawl, scripted } = await openCrawlBench();
    await crawl(leaving("one"));
    await crawl(leaving("two"));
    await crawl([]);
    await crawl([]);
    expect(scripted.contexts.map(({ mode, previousState }) => [mode, previousState])).toEqual([
      ["full", null],
      ["incremental", { hash: "one" }],
      ["incremental", { hash: "two" }],
      ["incremental", { hash: "two" }],
    ]);
  });

  it("A connector's state is not kept after a warning, so that the next crawl reports it again", async () => {
    const { crawl, scripted } = await openCrawlBench();
    await crawl([...leaving("sound"), faultOf("model.a", "warning")]);
    await crawl([]);
    expect(scripted.contexts.at(-1)?.previousState).toBeNull();
  });

  it("An unchanged source's assets are counted as discovered, and none as updated", async () => {
    const { crawl } = await openCrawlBench();
    const { assetsDiscovered } = await crawl(leaving("one"));
    expect(assetsDiscovered).toBeGreaterThan(0);
    expect(await crawl([])).toMatchObject({ assetsDiscovered, assetsUpdated: 0 });
    expect(await crawl([])).toMatchObject({ assetsDiscovered, assetsUpdated: 0 });
  });

  it("A connector's state is not valid after a crawl that left something out", async () => {
    const { crawl, scripted } = await openCrawlBench();
    await crawl(leaving("one"));
    await crawl([...leaving("lossy"), faultOf("model.a")]);
    await crawl([]);
    expect(scripted.contexts.at(-1)?.previousState).toBeNull();
  });

  it("A connector's state is not valid after a crawl that wrote something and then failed", async () => {
    const { crawl, scripted } = await openCrawlBench();
    await crawl(leaving("one"));
    await crawl(function* () {
      yield* scope("all", [table("a", { description: "half of the next state" })], false);
      yield stateOf("two");
      throw new Error("broken");
    });
    await crawl([]);
    expect(scripted.contexts.at(-1)?.previousState).toBeNull();
  });

  it("A connector's state stays valid after a crawl that failed before it wrote anything", async () => {
    const { crawl, scripted } = await openCrawlBench();
    await crawl(leaving("one"));
    await crawl(function* () {
      yield faultOf("manifest");
      throw new Error("broken");
    });
    await crawl([]);
    expect(scripted.contexts.at(-1)?.previousState).toEqual({ hash: "one" });
  });

  it("A connector's state is not valid for a graph that was emptied or replaced", async () => {
    const { crawl, graph, scripted, workspace, connector } = await openCrawlBench();
    await crawl(leaving("one"));
    const nothing = {
      workspace: workspace.id,
      connectorId: connector.id,
      connectorName: "shop",
      precedence: 10,
      lineagePrecedence: 10,
      connectorCreatedAt: "",
    };
    await graph.sweep({ ...nothing, syncId: "none", run: 0, at: "2026-01-01T00:00:00.000Z" }, "all");
    await crawl([]);
    expect(scripted.contexts.at(-1)?.previousState).toBeNull();
  });

  it("A run that continues an earlier one stores no state, because it cannot sweep what only the earlier run saw", async () => {
    const { crawl, scripted, find, idOf } = await openCrawlBench();
    await crawl(leaving("one"));
    const stop = new AbortController();
    const stopping = crawl(
      function* () {
        yield* scope("all", [table("a"), table("ghost")]);
        stop.abort();
        yield stateOf("never told");
      },
      { signal: stop.signal },
    );
    await expect(stopping).rejects.toThrow(/abort/);
    await crawl(leaving("two"));
    await crawl(leaving("two"));
    expect(scripted.contexts.at(-1)?.previousState).toBeNull();
    expect(await find(idOf("ghost"))).toBeNull();
  });
});
