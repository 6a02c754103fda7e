/** A crawl that would remove a large share of what its connector stated. */
import { describe, expect, it } from "vitest";

import { openCrawlBench } from "../../support/crawl-bench.ts";
import { scope, table } from "../../support/scripted-connector.ts";

const tables = (...names: string[]) =>
  scope(
    "all",
    names.map((name) => table(name)),
  );
const two = (one: string, other: string) => [
  ...scope(
    "one",
    [...one].map((name) => table(name)),
  ),
  ...scope(
    "two",
    [...other].map((name) => table(name)),
  ),
];
const scopes = (...names: string[]) => names.flatMap((name) => scope(name, [table(name)]));
const FIVE = tables("a", "b", "c", "d", "e");

async function open(share: number) {
  const bench = await openCrawlBench();
  const { store, workspace, connector, graph } = bench;
  const limited = await store.connectors.setRemovalShare(workspace.id, connector.id, share);
  const listed = async (): Promise<string> => {
    const { items } = await graph.listNodes(workspace.id, { types: ["table"] }, { after: null, limit: 50 });
    return items.map(({ name }) => name).join("");
  };
  return { ...bench, limited, listed };
}

describe("Crawls that would remove more than their connector's share", () => {
  it("A crawl beyond its connector's removal share removes nothing, and says what it would have removed", async () => {
    const { crawl, limited, listed } = await open(40);
    await crawl(FIVE, { by: limited });
    const outcome = await crawl(tables("a", "b", "f"), { by: limited });
    expect(outcome).toMatchObject({ status: "completed", assetsDiscovered: 3, assetsRemoved: 0, errorsTotal: 1 });
    expect(outcome.errors[0]).toMatchObject({
      code: "sweep_held",
      severity: "error",
      message: expect.stringContaining("no longer has 3 of 5 assets of shop"),
    });
    expect(await listed()).toBe("abcdef");
  });

  it("A sweep is held at every crawl until it is confirmed, even if everything else is new", async () => {
    const { crawl, limited, listed } = await open(40);
    await crawl(FIVE, { by: limited });
    const others = tables(..."fghijklmnopqrst");
    for (let time = 0; time < 2; time++) {
      expect((await crawl(others, { by: limited })).errors).toMatchObject([{ code: "sweep_held" }]);
      expect((await listed()).slice(0, 5)).toBe("abcde");
    }
  });

  it("The removal share counts all scopes together, and a held sweep keeps them all", async () => {
    const { crawl, limited, listed } = await open(50);
    await crawl(two("abc", "de"), { by: limited });
    expect((await crawl(two("ab", ""), { by: limited })).errors).toMatchObject([{ code: "sweep_held" }]);
    expect(await listed()).toBe("abcde");
    expect(await crawl(two("abc", "de"), { by: limited })).toMatchObject({ errors: [], assetsRemoved: 0 });
    expect(await crawl(two("abc", ""), { by: limited })).toMatchObject({ errors: [], assetsRemoved: 2 });
    expect(await listed()).toBe("abc");
  });

  it("A confirmed crawl removes more than its connector's share", async () => {
    const { crawl, limited, listed } = await open(40);
    await crawl(FIVE, { by: limited });
    expect(await crawl(tables("a"), { by: limited, confirmRemoval: true })).toMatchObject({
      errors: [],
      assetsRemoved: 4,
    });
    expect(await listed()).toBe("a");
  });
});

describe("Scopes that the source no longer has", () => {
  it("A missing scope is removed by a crawl that read all others completely", async () => {
    const { crawl, limited, listed } = await open(100);
    await crawl(scopes("a", "b", "c"), { by: limited });
    expect(await crawl(scopes("a"), { by: limited })).toMatchObject({ assetsRemoved: 2 });
    expect(await listed()).toBe("a");
  });

  it("A missing scope stays if another one could not be read completely, or if nothing was read", async () => {
    const { crawl, limited, listed } = await open(100);
    await crawl(scopes("a", "b", "c"), { by: limited });
    await crawl([...scope("a", [table("a")]), ...scope("b", [], false)], { by: limited });
    await crawl([], { by: limited });
    expect(await listed()).toBe("abc");
  });

  it("A missing scope counts towards the share that a crawl may remove", async () => {
    const { crawl, limited, listed } = await open(40);
    await crawl(scopes("a", "b"), { by: limited });
    expect(await crawl(scopes("a"), { by: limited })).toMatchObject({ errors: [{ code: "sweep_held" }] });
    expect(await listed()).toBe("ab");
  });
});

it("A crawl that removes exactly its connector's share does so", async () => {
  const { crawl, limited, listed } = await open(40);
  await crawl(FIVE, { by: limited });
  expect(await crawl(tables("a", "b", "c"), { by: limited })).toMatchObject({ errors: [], assetsRemoved: 2 });
  expect(await listed()).toBe("abc");
});

it("A source that fails half-way loses nothing, not even in scopes that were read completely", async () => {
  const { crawl, limited, listed } = await open(100);
  await crawl([...scope("one", [table("a"), table("b")]), ...scope("two", [table("c")])], { by: limited });
  const outcome = await crawl(
    function* () {
      yield* scope("one", [table("a")]);
      yield { kind: "begin", scope: "two" };
      throw new Error("the source died");
    },
    { by: limited },
  );
  expect(outcome).toMatchObject({ status: "failed", assetsRemoved: 0 });
  expect(await listed()).toBe("abc");
});
