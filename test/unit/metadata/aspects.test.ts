import { randomBytes } from "node:crypto";

import { expect, it } from "vitest";

import { type AspectRow, MAX_NAME_BYTES } from "../../../src/catalog/aspect.ts";
import { MAX_KEPT_BYTES } from "../../../src/metadata/aspects.ts";
import { MINUTE_MS } from "../../support/clock.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";

const rowOf = (row: Partial<AspectRow> = {}): AspectRow => ({
  entity: "dataset",
  urn: "a",
  aspect: "status",
  part: "",
  at: 1,
  body: "{}",
  unkept: "",
  ...row,
});

/** Random, so that no index compresses it. */
const longName = (): string => randomBytes(MAX_NAME_BYTES / 2).toString("hex");

async function open() {
  const metadata = await openTestMetadata();
  const { store, runSql } = metadata;
  const addRecipe = async (name: string) => {
    const { id } = await metadata.addConnector(name);
    const reader = store.aspects.readerOf(id);
    const countBytes = async () => {
      const [row] = await runSql(`select aspect_bytes as found from connectors where id = '${id}'`);
      return Number(row?.["found"]);
    };
    return {
      id,
      reader,
      list: async (aspect = rowOf().aspect) => (await Array.fromAsync(reader.pages([aspect]))).flat(),
      add: (rows: AspectRow[]) => store.aspects.add(id, rows),
      countBytes,
    };
  };
  return { ...metadata, ...(await addRecipe("recipe")), addRecipe };
}

it("Of the values of an aspect the latest stays, in whatever order and in however many batches they come", async () => {
  const { addRecipe } = await open();
  // In UTF-16, the last one comes before the one before it.
  const values = ["Z", "a", "\uFF5E", "\u{1F600}"].map((body) => rowOf({ at: 2, body }));
  values.push(rowOf({ at: 1, body: "\u{1F601}" }));
  const last = [rowOf({ at: 2, body: "\u{1F600}" })];
  for (const [at, order] of [values, values.toReversed()].entries()) {
    const [together, apart] = [await addRecipe(`together${at}`), await addRecipe(`apart${at}`)];
    await together.add(order);
    expect(await together.list()).toEqual(last);
    for (const row of order) await apart.add([row]);
    expect(await apart.list()).toEqual(last);
    expect(await apart.countBytes()).toBe(await together.countBytes());
  }
});

it("The longest names that a row may have are kept", async () => {
  const { add, list } = await open();
  const row = rowOf({ urn: longName(), aspect: longName(), part: longName().slice(0, 40) });
  await add([row]);
  expect(await list(row.aspect)).toEqual([row]);
});

it("Pages have the bodies of the aspects that are asked for, and all have them when they are loaded", async () => {
  const { add, reader } = await open();
  const rows = [rowOf({ aspect: "large" }), rowOf({ aspect: "status" })];
  await add(rows);
  const [large, status] = rows;
  expect(await Array.fromAsync(reader.pages(["status"]))).toEqual([[{ ...large, body: null }, status]]);
  expect(await reader.load([rowOf().urn])).toEqual(rows);
});

it("A deleted aspect stays deleted, unless a later value comes", async () => {
  const { add, list } = await open();
  await add([rowOf({ at: 2, body: null })]);
  await add([rowOf({ at: 1 })]);
  expect(await list()).toEqual([rowOf({ at: 2, body: null })]);
  await add([rowOf({ at: 3 })]);
  expect(await list()).toEqual([rowOf({ at: 3 })]);
});

it("A value without a time has the time at which it came", async () => {
  const { add, list, clock } = await open();
  await add([rowOf({ at: 0, body: "z" })]);
  clock.advance(MINUTE_MS);
  await add([rowOf({ at: 0, body: "a" })]);
  expect(await list()).toEqual([rowOf({ at: clock.now().getTime(), body: "a" })]);
});

it("All entities are read in the order of their urns, and some of them by name", async () => {
  const { add, list, reader } = await open();
  const urns = Array.from({ length: 250 }, (_, at) => `urn ${at}`);
  await add(urns.flatMap((urn) => [rowOf({ urn }), rowOf({ urn, aspect: "ownership" })]));
  const read = (await list()).map(({ urn }) => urn);
  expect(read).toEqual(urns.flatMap((urn) => [urn, urn]).toSorted());
  expect((await reader.load(["urn 7", "other"])).map(({ aspect }) => aspect).toSorted()).toEqual([
    "ownership",
    "status",
  ]);
});

it("What is removed makes room, and what has changed since it was read is not removed", async () => {
  const { add, list, reader, countBytes } = await open();
  const [old, changed] = [rowOf({ part: "1" }), rowOf({ part: "2" })];
  await add([rowOf({ part: "3" })]);
  const bytes = await countBytes();
  await add([old, changed]);
  await add([{ ...changed, at: 5 }]);
  await reader.remove([old, changed]);
  expect((await list()).map(({ part }) => part).toSorted()).toEqual(["2", "3"]);
  expect(await countBytes()).toBe(2 * bytes);
});

it("A full connector refuses more, says what to do, and still takes what replaces something as long", async () => {
  const { add, list, runSql } = await open();
  await add([rowOf({ body: "long" })]);
  await runSql(`update connectors set aspect_bytes = ${MAX_KEPT_BYTES}`);
  const message = expect.stringMatching(/^The connector recipe keeps at most 512 MiB of proposals: send the rest/);
  await expect(add([rowOf({ urn: "b" })])).rejects.toMatchObject({ code: "conflict", message });
  await add([rowOf({ at: 2, body: "same" })]);
  expect(await list()).toEqual([rowOf({ at: 2, body: "same" })]);
});

it("A connector that is being removed takes nothing, and its aspects go with it", async () => {
  const { store, workspace, id, add, runSql } = await open();
  await add([rowOf()]);
  await store.connectors.beginRemoval(workspace.id, id);
  await expect(add([rowOf({ urn: "b" })])).rejects.toMatchObject({ code: "conflict" });
  await store.connectors.endRemoval(workspace.id, id);
  expect(await runSql("select * from aspects")).toEqual([]);
});

it("A connector is due once, when nothing more has come for a while or when its first aspect waits for long", async () => {
  const { store, add, clock, workspace, id } = await open();
  const list = async (quietMs: number, waitedMs: number) =>
    store.schedules.listUnread(new Date(clock.now().getTime() - quietMs), new Date(clock.now().getTime() - waitedMs));
  await add([rowOf()]);
  const first = clock.now().toISOString();
  clock.advance(MINUTE_MS);
  await add([rowOf({ at: 2 })]);
  const due = [{ workspaceId: workspace.id, connectorId: id, unreadSince: first }];
  expect(await list(1_000, 2 * MINUTE_MS)).toEqual([]);
  expect(await list(1_000, MINUTE_MS)).toEqual(due);
  clock.advance(2_000);
  expect(await list(1_000, 2 * MINUTE_MS)).toEqual(due);

  const [unread] = due;
  if (unread === undefined) return;
  expect(await store.schedules.takeUnread(unread, clock.now(), 1)).toMatchObject({ status: "queued", mode: "full" });
  expect(await store.schedules.takeUnread(unread, clock.now(), 1)).toBeNull();
  await add([rowOf({ at: 3 })]);
  clock.advance(2_000);
  expect(await list(1_000, MINUTE_MS)).toEqual([]);
});
