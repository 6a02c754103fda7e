import { expect, test } from "vitest";

import type { JobMessage } from "../../../../src/connectors/openlineage/bodies.ts";
import { chooseRun } from "../../../../src/connectors/openlineage/choose-run.ts";
import { timeOf } from "../../../support/lineage-events.ts";

const NOTHING = { gone: [], tables: [], completed: [], cut: [] };

/** The message with this number, in one run. */
function messageOf(number: number, state: string, pairs: number): JobMessage {
  const job = { namespace: "nightly", name: "load" };
  const head = { run: { id: "run", state }, at: timeOf(number), job, hasData: true, pairs, gone: [], tables: [] };
  return {
    key: String(number),
    size: 1,
    head,
    *readContent() {
      yield;
      return { facts: {}, inputs: [], outputs: [], ignored: [] };
    },
  };
}

test("A run with too many pairs of columns keeps its end and the last events before", () => {
  const messages = [
    messageOf(1, "START", 40_000),
    messageOf(2, "COMPLETE", 40_000),
    messageOf(3, "RUNNING", 40_000),
    messageOf(4, "RUNNING", 30_000),
  ];
  const { chosen, needed, memory } = chooseRun(messages, NOTHING);
  expect([...needed].toSorted()).toEqual(["2", "4"]);
  expect([chosen.isCut, memory.cut]).toEqual([true, ["run"]]);
  // The run is still cut when only the messages that were kept are read again.
  const again = chooseRun(
    messages.filter(({ key }) => needed.has(key)),
    memory,
  );
  expect(again.chosen.isCut).toBe(true);
  expect(chooseRun(messages.slice(1, 2), NOTHING).chosen.isCut).toBe(false);
});

test("An event that exceeds the limit by itself is kept", () => {
  expect(chooseRun([messageOf(1, "COMPLETE", 100_001)], NOTHING).needed).toEqual(new Set(["1"]));
});

test("A thousand mapped runs decide together, and more than are kept are cut", () => {
  const messages = Array.from({ length: 2_100 }, (_, index): JobMessage => {
    const message = messageOf(index, "COMPLETE", 1);
    const part = { partOf: { run: "outer", index, began: null }, says: String(index) };
    return { ...message, head: { ...message.head, run: { id: `run ${index}`, state: "COMPLETE" }, ...part } };
  });
  const few = chooseRun(messages.slice(0, 1_024), NOTHING);
  expect([few.needed.size, few.chosen.isCut, few.dropped]).toEqual([1_024, false, 0]);
  const many = chooseRun(messages, NOTHING);
  expect([many.needed.size, many.chosen.isCut, many.memory.cut]).toEqual([2_048, true, ["outer"]]);
  // All of them are remembered as completed, so that a late event of one of them is not taken for a run that goes on.
  expect(many.memory.completed).toHaveLength(2_048);
});

test("Parts that wait to decide again are still cut after messages of them are dropped", () => {
  const parts = [
    [1, "first", 60_000],
    [2, "first", 60_000],
    [3, "second", 1],
    [4, "second", 1],
  ] as const;
  const messages = parts.map(([number, run, pairs]): JobMessage => {
    const message = messageOf(number, "COMPLETE", pairs);
    const part = { partOf: { run, index: null, began: null }, says: String(number) };
    const ran = { id: `run ${number}`, state: "COMPLETE" };
    return Object.assign({}, message, { head: Object.assign({}, message.head, part, { run: ran }) });
  });
  const { chosen, needed, memory } = chooseRun(messages, NOTHING);
  expect([chosen.isCut, needed.size, memory.cut]).toEqual([false, 3, ["first"]]);
});
