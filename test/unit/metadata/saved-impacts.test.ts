import { expect, it } from "vitest";

import { MINUTE_MS } from "../../support/clock.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";

const DAY_MS = 24 * 60 * MINUTE_MS;

it("a saved impact is found in its workspace alone, once, from the time it was saved last", async () => {
  const { store, workspace, clock } = await openTestMetadata();
  const { savedImpacts } = store;
  const other = await store.workspaces.create({ name: "other", kind: "live" });
  const begin = clock.now().toISOString();
  await savedImpacts.save(workspace.id, { id: "a", body: "body" });
  clock.advance(DAY_MS);
  const later = clock.now().toISOString();
  expect(await savedImpacts.find(workspace.id, "a", begin)).toEqual({ id: "a", savedAt: begin, body: "body" });
  expect(await savedImpacts.find(workspace.id, "a", later)).toBeNull();
  await savedImpacts.save(workspace.id, { id: "a", body: "body" });
  expect(await savedImpacts.find(workspace.id, "a", later)).toEqual({ id: "a", savedAt: later, body: "body" });
  expect(await savedImpacts.find(other.id, "a", begin)).toBeNull();
  expect(await savedImpacts.find(workspace.id, "b", begin)).toBeNull();
});

/** Inserts many at once, `from` to `to`, each a second later than the one before, beginning in 2020. */
const insertMany = (workspace: string, from: number, to: number): string =>
  `with recursive counted(n) as (select ${from} union all select n + 1 from counted where n < ${to})
   insert into saved_impacts (workspace_id, id, saved_at, bytes, body)
   select '${workspace}', 'x' || cast(n as text), '2020-01-01T' || cast(10000 + n as text), 1, 'x' from counted`;

it("a workspace that has too many loses the oldest, a bounded number at a time", async () => {
  const { store, workspace, runSql } = await openTestMetadata();
  const count = async () => Number((await runSql("select count(*) as number from saved_impacts"))[0]?.["number"]);
  await runSql(insertMany(workspace.id, 1, 2_120));
  await store.savedImpacts.save(workspace.id, { id: "new", body: "body" });
  expect(await count()).toBe(2_021);
  await store.savedImpacts.save(workspace.id, { id: "new", body: "body" });
  expect(await count()).toBe(2_000);
  expect(await store.savedImpacts.find(workspace.id, "x121", "")).toBeNull();
  expect(await store.savedImpacts.find(workspace.id, "x122", "")).not.toBeNull();
  expect(await store.savedImpacts.find(workspace.id, "new", "")).not.toBeNull();
});

it("saved impacts that are too old are deleted, a bounded number at a time", async () => {
  const { store, workspace, runSql } = await openTestMetadata();
  await runSql(insertMany(workspace.id, 1, 130));
  await store.savedImpacts.save(workspace.id, { id: "new", body: "body" });
  const remove = () => store.savedImpacts.removeBefore("2021");
  expect([await remove(), await remove(), await remove()]).toEqual([100, 30, 0]);
  expect(await store.savedImpacts.find(workspace.id, "new", "")).not.toBeNull();
});
