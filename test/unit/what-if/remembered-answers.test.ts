import { expect, it } from "vitest";

import { type LineageAnswer, unresolved } from "../../../src/sql-lineage/request.ts";
import { createRememberedAnswers } from "../../../src/what-if/remembered-answers.ts";
import { MINUTE_MS } from "../../support/clock.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";

const DAY_MS = 24 * 60 * MINUTE_MS;
const answer = (reason: string): LineageAnswer => unresolved(reason);

it("Answers that a crawl has stored are found, and do not count as used", async () => {
  const { store, clock } = await openTestMetadata();
  const kept = store.lineageAnswers;
  await kept.save(new Map([["a", answer("one")]]));
  const remembered = createRememberedAnswers(kept);
  clock.advance(20 * DAY_MS);
  expect(await remembered.find(["a", "b"])).toEqual(new Map([["a", answer("one")]]));
  clock.advance(11 * DAY_MS);
  await kept.removeUnused();
  expect(await kept.find(["a"])).toEqual(new Map());
});

it("New answers are remembered in memory only, not in the store", async () => {
  const { store } = await openTestMetadata();
  const remembered = createRememberedAnswers(store.lineageAnswers);
  await remembered.save(new Map([["a", answer("one")]]));
  expect(await remembered.find(["a"])).toEqual(new Map([["a", answer("one")]]));
  expect(await store.lineageAnswers.find(["a"])).toEqual(new Map());
});

it("The memory is limited in bytes, and the answer that was not used for longest is removed first", async () => {
  const { store } = await openTestMetadata();
  const remembered = createRememberedAnswers(store.lineageAnswers, 10_000);
  const long = answer("x".repeat(1_500));
  for (const key of ["a", "b", "c"]) await remembered.save(new Map([[key, long]]));
  await remembered.find(["a"]);
  await remembered.save(new Map([["d", long]]));
  expect([...(await remembered.find(["a", "b", "c", "d"])).keys()].toSorted()).toEqual(["a", "c", "d"]);
});

it("An answer larger than the whole memory is not remembered, and removes nothing", async () => {
  const { store } = await openTestMetadata();
  const remembered = createRememberedAnswers(store.lineageAnswers, 10_000);
  await remembered.save(new Map([["a", answer("one")]]));
  await remembered.save(new Map([["b", answer("x".repeat(20_000))]]));
  expect([...(await remembered.find(["a", "b"])).keys()]).toEqual(["a"]);
});
