import { expect, it } from "vitest";

import { MAX_USER_ITEMS } from "../../../src/metadata/user-lists.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";

async function openLists() {
  const { store, clock, workspace, admin } = await openTestMetadata();
  const other = await store.users.create({ workspaceId: workspace.id, email: "other@example.com", role: "analyst" });
  const [mine, theirs] = [admin, other].map(({ id }) => ({ workspaceId: workspace.id, userId: id }));
  if (mine === undefined || theirs === undefined) throw new Error("two users are there");
  const { userLists } = store;
  const put: typeof userLists.put = async (...args) => {
    await userLists.put(...args);
    clock.advance(1_000);
  };
  const itemsOf = async (...args: Parameters<typeof userLists.list>) =>
    (await userLists.list(...args)).map(({ item, label }) => (label === "" ? item : `${item} ${label}`));
  return { userLists, mine, theirs, put, itemsOf };
}

it("lists a person's items with the newest first, each once, apart from other lists and other people", async () => {
  const { userLists, mine, theirs, put, itemsOf } = await openLists();
  for (const item of ["a", "b", "a"]) await put(mine, "seen", item);
  await put(mine, "search", "q=x", "First");
  await put(mine, "search", "q=x", "Second");
  await put(theirs, "seen", "c");
  expect(await itemsOf(mine, "seen")).toEqual(["a", "b"]);
  expect(await itemsOf(mine, "seen", 1)).toEqual(["a"]);
  expect(await itemsOf(mine, "search")).toEqual(["q=x Second"]);
  expect(await itemsOf(mine, "favourite")).toEqual([]);
  expect(await itemsOf(theirs, "seen")).toEqual(["c"]);
  expect(await userLists.has(mine, "seen", "b")).toBe(true);
  expect(await userLists.has(theirs, "seen", "b")).toBe(false);
  await userLists.remove(theirs, "seen", "a");
  await userLists.remove(mine, "seen", "b");
  expect(await itemsOf(mine, "seen")).toEqual(["a"]);
});

it("forgets the oldest item that a person saw when the list is full, and refuses one more favourite", async () => {
  const { mine, put, itemsOf } = await openLists();
  for (let i = 0; i < MAX_USER_ITEMS; i++) {
    await put(mine, "seen", `node ${i}`);
    await put(mine, "favourite", `node ${i}`);
  }
  await put(mine, "seen", "one more");
  const seen = await itemsOf(mine, "seen");
  expect([seen.length, seen[0], seen.at(-1)]).toEqual([MAX_USER_ITEMS, "one more", "node 1"]);
  await expect(put(mine, "favourite", "one more")).rejects.toMatchObject({ code: "conflict" });
  expect(await itemsOf(mine, "favourite")).toHaveLength(MAX_USER_ITEMS);
  await put(mine, "favourite", "node 0");
  expect((await itemsOf(mine, "favourite"))[0]).toBe("node 0");
});
