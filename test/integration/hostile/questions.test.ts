/** Questions that are written to be dear: what they cost is counted, not timed. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createAgent } from "../../../src/agent/agent.ts";
import type { AgentAnswer } from "../../../src/agent/answer.ts";
import { AppError } from "../../../src/errors.ts";
import type { CatalogGraph, GraphReader } from "../../../src/graph/catalog-graph.ts";
import type { Caller } from "../../../src/work/caller.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { edgeOf, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { present } from "../../support/present.ts";

const TABLES = 300;
/** What no question may go beyond, however it is written. */
const MAX_LOOK_UPS = 200;
/** Longest a question may be. */
const CHARACTERS = 4_000;

let app: RunningApp;
let workspace: string;

beforeAll(async () => {
  app = await startApp();
  workspace = present(await app.app.metadata.workspaces.findByName("default")).id;
  const tables = Array.from({ length: TABLES }, (_, at) =>
    nodeOf(workspace, "table", `shop.marts.m0_${at}`, { description: "Orders, revenue and customers by day." }),
  );
  const stamp = stampOf(workspace, "warehouse", 1);
  await app.app.graph.writeNodes(stamp, "all", tables);
  const [first, ...others] = tables.map(present);
  const edges = others.map((table) => edgeOf(present(first), table, "derives"));
  await app.app.graph.writeEdges(stamp, "all", edges);
});
afterAll(() => app.close());

interface Asked {
  answer: AgentAnswer;
  lookUps: number;
  turns: number;
  rows: number;
}

/** The graph as it is, but for a count of what is asked of it. */
function counting(graph: CatalogGraph, onCall: () => void): CatalogGraph {
  const watch = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(reader, name) {
        const value: unknown = Reflect.get(reader, name);
        if (typeof value !== "function") return value;
        return (...args: unknown[]): unknown => {
          onCall();
          return Reflect.apply(value, reader, args);
        };
      },
    });
  const readerFor = (caller: Caller): GraphReader => watch(graph.readerFor(caller));
  return new Proxy(graph, { get: (target, name) => (name === "readerFor" ? readerFor : Reflect.get(target, name)) });
}

async function ask(query: string, mayRead = Infinity): Promise<Asked> {
  const counts = { lookUps: 0, turns: 0, rows: 0 };
  const { graph, metadata, random } = app.app;
  const watched = counting(graph, () => void counts.lookUps++);
  const agent = createAgent({ graph: watched, metadata, random, maxLineageNodes: 10_000 });
  const charge = (rows: number): void => {
    counts.rows += rows;
    if (counts.rows > mayRead) throw new AppError("bad_request", "This is too much for one request.");
  };
  const answer = await agent.ask(
    { query, context: { assetIds: [], tags: [], workspaceArea: null } },
    {
      workspace,
      caller: { holder: "key", signal: new AbortController().signal, charge },
      mayWrite: false,
      nextTurn: () => {
        counts.turns++;
        return Promise.resolve();
      },
    },
  );
  return { answer, ...counts };
}

function fill(start: string, word: (at: number) => string): string {
  let text = start;
  for (let at = 0; ; at++) {
    const longer = `${text} ${word(at)}`;
    if (longer.length > CHARACTERS - 1) return `${text}?`;
    text = longer;
  }
}

describe("a question of 4,000 characters", () => {
  it.each([
    ["names that there are", fill("what breaks if I drop", (at) => `m0_${at % TABLES}`)],
    ["names in two words", fill("who owns", (at) => `m0 ${at % TABLES}`)],
    ["words of descriptions", fill("what feeds", (at) => ["orders", "revenue", "customers"][at % 3] ?? "")],
    ["misspelt words", fill("who owns", (at) => `custmers${at}`)],
    ["clauses", fill("", (at) => `who owns m0_${at % TABLES}? and`)],
    ["one name", "m0_".repeat(CHARACTERS / 4)],
  ])("of %s looks up little, takes many turns, and says what was left out", async (_kind, query) => {
    const { answer, lookUps, turns } = await ask(query);
    expect(lookUps).toBeLessThan(MAX_LOOK_UPS);
    expect(turns).toBeGreaterThan(lookUps);
    expect(answer.answer).toMatch(/The question (?:is long: only|has \d+ names: only|names more than 30 things:)/);
  });
});

describe("a question that has more names than are looked up", () => {
  const names = Array.from({ length: 11 }, (_, at) => `m0_${at}`);

  it("is answered for the first, and tells how many were not looked up", async () => {
    const { answer } = await ask(`what breaks if I drop ${names.join(" and ")}?`);
    expect(answer.answer).toMatch(/^If `m0_0` is /);
    expect(answer.answer).toContain("The question has 11 names: only the first 8 were looked up.");
    expect(answer.answer).not.toContain("I found nothing");
  });

  it("says nothing of it where all were", async () => {
    const { answer } = await ask(`what breaks if I drop ${names.slice(0, 8).join(" and ")}?`);
    expect(answer.answer).not.toContain("The question");
  });
});

describe("what a question reads", () => {
  it("is charged to its request, which ends when it has spent what it may", async () => {
    const { rows } = await ask("what breaks if I drop m0_0?");
    // Each of those that are affected, at least.
    expect(rows).toBeGreaterThan(TABLES);
    await expect(ask("what breaks if I drop m0_0?", rows - 1)).rejects.toThrow("too much for one request");
  });
});
