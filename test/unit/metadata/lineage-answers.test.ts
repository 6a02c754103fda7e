import { expect, it } from "vitest";

import { type LineageAnswer, unresolved } from "../../../src/sql-lineage/request.ts";
import { MINUTE_MS } from "../../support/clock.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";

const DAY_MS = 24 * 60 * MINUTE_MS;
const answer = (reason: string) => unresolved(reason);

it("Stored answers are found, even after a restart", async () => {
  const { store, openAgain } = await openTestMetadata();
  await store.lineageAnswers.save(
    new Map([
      ["a", answer("one")],
      ["b", answer("two")],
    ]),
  );
  await store.lineageAnswers.save(new Map([["a", answer("one")]]));
  const again = await openAgain();
  expect(await again.lineageAnswers.find(["b", "c"])).toEqual(new Map([["b", answer("two")]]));
  expect(await again.lineageAnswers.find([])).toEqual(new Map());
});

it("Answers that were not used for thirty days are deleted", async () => {
  const { store, clock } = await openTestMetadata();
  const answers = store.lineageAnswers;
  await answers.save(
    new Map([
      ["used", answer("one")],
      ["unused", answer("two")],
    ]),
  );
  clock.advance(20 * DAY_MS);
  await answers.find(["used"]);
  clock.advance(11 * DAY_MS);
  await answers.removeUnused();
  expect([...(await answers.find(["used", "unused"])).keys()]).toEqual(["used"]);
});

it("Any number of answers is stored and found at once", async () => {
  const { store } = await openTestMetadata();
  const keys = Array.from({ length: 40_000 }, (_, i) => `key ${i}`);
  await store.lineageAnswers.save(new Map(keys.map((key) => [key, answer(key)])));
  expect((await store.lineageAnswers.find(keys)).size).toBe(40_000);
});

it("An answer whose columns share filters is read back equal, and each use is stored once", async () => {
  const { store } = await openTestMetadata();
  const expression = "orders.status = 'paid'";
  const filter = { relation: 0, column: "status", kind: "INDIRECT", transformation: "FILTER", expression } as const;
  const columns = Array.from({ length: 200 }, (_, i) => {
    const name = `column_${i}`;
    const own = { relation: 0, column: name, kind: "DIRECT", transformation: "IDENTITY", expression: name } as const;
    return { name, parents: [own, filter], unresolved: null, basis: null };
  });
  const read: LineageAnswer = { columns, incomplete: null, notes: [], named: [], unresolvedUse: null, unfound: [] };
  await store.lineageAnswers.save(new Map([["wide", read]]));
  const found = (await store.lineageAnswers.find(["wide"])).get("wide");
  expect(found).toEqual(read);
  const parents = found !== undefined && "columns" in found ? found.columns.flatMap((column) => column.parents) : [];
  expect(new Set(parents).size).toBe(201);
});
