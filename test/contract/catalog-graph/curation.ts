/** What people say about a node, over what the connectors say. */
import { expect, it } from "vitest";

import { TIER } from "../../../src/catalog/search.ts";
import { look, newWorkspace, nodeOf, stampOf, timeOf, editOf, UNKNOWN } from "../../support/graph-writes.ts";
import type { OpenGraph } from "../catalog-graph.ts";

export function describeCuration(open: OpenGraph): void {
  it("A person's edit is shown instead of what the connectors say, and returns the changed node", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "orders", { description: "theirs", tags: ["theirs"], ownerName: "The team" });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders]);
    const change = {
      description: "mine",
      tags: ["z", "a"],
      owner: "ada@example.com",
      certification: "certified" as const,
      certifiedBy: "ada@example.com",
      certifiedAt: timeOf(5),
    };
    const curated = await open().curate(w, orders.id, change, editOf(5));
    expect(curated).toMatchObject({ ...change, ownerName: "", createdAt: timeOf(1), updatedAt: timeOf(5) });
    expect(await look(open(), w, orders)).toEqual(curated);
  });

  it("An edit is refused if a field that it changes shows something else than its editor saw", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "orders", { description: "theirs", tags: ["a", "b"], owner: "eve@example.com" });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders]);
    const before = await look(open(), w, orders);
    for (const seen of [{ description: "" }, { tags: ["a"] }, { owner: "ada@example.com", tags: ["a", "b"] }]) {
      const change = { description: "mine", tags: ["mine"], owner: "" };
      await expect(open().curate(w, orders.id, change, editOf(2), seen)).rejects.toMatchObject({ code: "conflict" });
    }
    expect(await look(open(), w, orders)).toEqual(before);
    const seen = { description: "theirs", tags: ["a"], owner: null };
    expect(await open().curate(w, orders.id, { description: "mine", owner: "" }, editOf(2), seen)).toMatchObject({
      description: "mine",
      owner: "",
    });
  });

  it("An edit adds to earlier edits, and gives keys with null back to the connectors", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "orders", { description: "theirs", tags: ["theirs"] });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders]);
    await open().curate(w, orders.id, { description: "mine" }, editOf(2));
    await open().curate(w, orders.id, { tags: [] }, editOf(3));
    expect(await look(open(), w, orders)).toMatchObject({ description: "mine", tags: [], updatedAt: timeOf(3) });
    await open().curate(w, orders.id, { description: null, tags: null }, editOf(4));
    expect(await look(open(), w, orders)).toMatchObject({ description: "theirs", tags: ["theirs"] });
  });

  it("An edit that changes nothing that is shown does not change the time of the node", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "orders", { description: "same" });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders]);
    expect(await open().curate(w, orders.id, { description: "same" }, editOf(2))).toMatchObject({
      updatedAt: timeOf(1),
    });
    expect(await open().curate(w, orders.id, {}, editOf(3))).toMatchObject({ updatedAt: timeOf(1) });
  });

  it("A person can edit a field to be empty, to say that there is no description", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "orders", { description: "theirs" });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders]);
    expect(await open().curate(w, orders.id, { description: "" }, editOf(2))).toMatchObject({ description: "" });
  });

  it("An edit survives crawls, and hides what they say", async () => {
    const w = newWorkspace();
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [nodeOf(w, "table", "orders", { description: "old" })]);
    const changed = nodeOf(w, "table", "orders", { description: "new" });
    await open().curate(w, changed.id, { description: "mine" }, editOf(2));
    await open().writeNodes(stampOf(w, "dbt", 3), "all", [changed]);
    expect(await look(open(), w, changed)).toMatchObject({ description: "mine", updatedAt: timeOf(2) });
    expect(await open().tally(stampOf(w, "dbt", 3))).toEqual({ discovered: 1, updated: 0 });
  });

  it("An edit survives the removal and return of its node", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "orders");
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders]);
    await open().curate(w, orders.id, { description: "mine", tags: ["kept"] }, editOf(2));
    await open().sweep(stampOf(w, "dbt", 3), "all");
    await open().writeNodes(stampOf(w, "warehouse", 4), "all", [orders]);
    expect(await look(open(), w, orders)).toMatchObject({
      description: "mine",
      tags: ["kept"],
      createdAt: timeOf(1),
      updatedAt: timeOf(4),
    });
  });

  it("An edit of an unknown or removed node returns null and stores nothing", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "orders");
    expect(await open().curate(w, orders.id, { description: "mine" }, editOf(1))).toBeNull();
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders]);
    await open().sweep(stampOf(w, "dbt", 2), "all");
    expect(await open().curate(w, orders.id, { description: "mine" }, editOf(2))).toBeNull();
    await open().writeNodes(stampOf(w, "dbt", 3), "all", [orders]);
    expect(await look(open(), w, orders)).toMatchObject({ description: "" });
  });

  it("The last editor of each field is kept after a reset, and if the node is removed and returns", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "orders", { description: "theirs" });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders]);
    const edits = async () => (await open().loadEdits(w, [orders.id, UNKNOWN, orders.id])).slice(0, 2);
    expect(await edits()).toEqual([[], []]);
    await open().curate(w, orders.id, { owner: "ada@example.com", description: "first" }, editOf(2, "ada@example.com"));
    await open().curate(w, orders.id, { description: "second", certification: "deprecated" }, editOf(3, "bob"));
    const owner = { field: "owner", by: "ada@example.com", at: timeOf(2), isReset: false };
    expect(await edits()).toEqual([[{ field: "description", by: "bob", at: timeOf(3), isReset: false }, owner], []]);
    await open().curate(w, orders.id, { description: null }, editOf(4, "eve"));
    const reset = { field: "description", by: "eve", at: timeOf(4), isReset: true };
    expect(await edits()).toEqual([[reset, owner], []]);
    await open().sweep(stampOf(w, "dbt", 5), "all");
    expect(await edits()).toEqual([[], []]);
    await open().writeNodes(stampOf(w, "dbt", 6), "all", [orders]);
    expect(await edits()).toEqual([[reset, owner], []]);
    expect(await look(open(), w, orders)).toMatchObject({ description: "theirs", owner: "ada@example.com" });
  });

  it("Edits count in filters and searches", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "orders", { tags: ["before"] });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders]);
    await open().curate(w, orders.id, { tags: ["after"], certification: "deprecated" }, editOf(2));
    const tagged = async (tag: string) => {
      const page = await open().listNodes(w, { types: "asset", tag }, { after: null, limit: 10 });
      return page.items.length;
    };
    expect([await tagged("before"), await tagged("after")]).toEqual([0, 1]);
    const query = { folded: "after", path: "after", prefix: "after", terms: ["after"] };
    const found = await open().searchNodes(w, { types: "asset" }, query, { after: null, limit: 10 });
    expect(found.items.map((item) => item.position)).toMatchObject([{ tier: TIER.tagsOrColumns, standing: 3 }]);
  });
}
