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
