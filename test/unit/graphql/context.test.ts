import { expect, it } from "vitest";

import { createContext, type RequestScope } from "../../../src/graphql/context.ts";
import type { Services } from "../../../src/services.ts";
import type { Caller } from "../../../src/work/caller.ts";
import { createRowMemoryLimit } from "../../../src/work/row-memory-limit.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";

/** A request, what its reader may do in its name, and what happens to its slot and its turns, in order. */
function openRequest() {
  const events: string[] = [];
  const callers: Caller[] = [];
  const graph = createReferenceGraph();
  const parts = {
    heldRows: createRowMemoryLimit({ all: 1_000_000, ofOne: 1_000_000 }),
    budgetLimits: { rows: 1_000_000, fields: 1_000_000, bytes: 1_000_000 },
    largeRequests: {
      open: () => ({ take: async () => void events.push("slot"), release: () => void events.push("released") }),
    },
    graph: { ...graph, readerFor: (caller: Caller) => (callers.push(caller), graph) },
  } satisfies Partial<Services>;
  const scope: RequestScope = {
    principal: null,
    requestId: "a-request",
    source: "192.0.2.1",
    signal: new AbortController().signal,
    giveUp: () => {},
    takeUnits: async () => {},
    nextTurn: async () => void events.push("turn"),
  };
  const open = (of: RequestScope) => createContext(parts as unknown as Services, of, async () => ({}));
  return { context: open(scope), open, callers, events };
}

it("A request that has become large has a slot before its next turn, until it is answered", async () => {
  const { context, events } = openRequest();
  await context.nextTurn();
  context.budget.draw("fields", 100_001);
  await context.nextTurn();
  context.budget.close();
  expect(events).toEqual(["turn", "slot", "turn", "released"]);
});

it("A reader may take many rows into memory when the request has a slot", async () => {
  const { callers, events } = openRequest();
  await callers[0]?.grow?.(10_000);
  expect(events).toEqual([]);
  await callers[0]?.grow?.(10_001);
  expect(events).toEqual(["slot"]);
});

it("A part of a request has a slot of its own, and frees it when it is answered", async () => {
  const { context, open, events } = openRequest();
  const part = open(context);
  part.budget.draw("rows", 10_001);
  await part.nextTurn();
  part.budget.close();
  await context.nextTurn();
  expect(events).toEqual(["slot", "turn", "released", "turn"]);
});
