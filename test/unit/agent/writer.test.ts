/** What a language model is let do while it writes, whatever it asks for. */
import { Writable } from "node:stream";
import { pino } from "pino";
import { expect, it } from "vitest";

import { createAgentCatalog } from "../../../src/agent/catalog.ts";
import { type LanguageModel, ModelFailure } from "../../../src/agent/model/language-model.ts";
import { TOOLS } from "../../../src/agent/model/tools.ts";
import { createWriter } from "../../../src/agent/model/writer.ts";
import { understand } from "../../../src/agent/understand.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";
import { present } from "../../support/present.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";

const logged: string[] = [];
const sink = new Writable({ write: (line, _encoding, done) => done(void logged.push(String(line))) });

/** What a model reads that looks up so often, each time by `runTool`. */
async function lookUp(times: number, runTool: () => Promise<unknown>): Promise<string[]> {
  const read: string[] = [];
  const model: LanguageModel = {
    async write({ callTool }) {
      for (let i = 0; i < times; i++) read.push(await callTool(present(TOOLS[0]), { search: "orders" }));
      throw new ModelFailure("Enough.");
    },
  };
  const writer = createWriter({
    model,
    deadline: () => new AbortController().signal,
    timeoutMs: 1_000,
    random: (size) => Buffer.alloc(size, 1),
    log: pino(sink),
  });
  const { store } = await openTestMetadata();
  const catalog = createAgentCatalog({ graph: createReferenceGraph(), metadata: store, maxLineageNodes: 10 }, "w");
  const request = { query: "orders", context: { assetIds: [], tags: [], workspaceArea: null } };
  const understood = await understand(request, catalog);
  const draft = { facts: [], actions: [], confidence: 0 };
  expect(await writer.write({ request, understood, draft, catalog, runTool })).toEqual({ note: "Enough." });
  return read;
}

it("is told of a look-up that breaks in words of our own", async () => {
  const read = await lookUp(1, () => Promise.reject(new Error("bolt://user:pass@graph:7687 refused")));
  expect(read).toEqual(['{"data":{"error":"This could not be looked up."}}']);
  expect(logged.join("")).toContain("a language model's look-up failed");
});

it("looks up so often, and no more", async () => {
  let ran = 0;
  const read = await lookUp(100, () => Promise.resolve({ id: `id${++ran}` }));
  expect(ran).toBe(32);
  expect(read.at(-1)).toBe('{"data":{"error":"No more may be looked up for this question."}}');
});
