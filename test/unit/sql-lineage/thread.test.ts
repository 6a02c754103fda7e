import { afterEach, describe, expect, it, vi } from "vitest";

import type { LineageRequest } from "../../../src/sql-lineage/request.ts";
import { createSqlLineage, type SqlLineage, type SqlLineageOptions } from "../../../src/sql-lineage/thread.ts";

const SCRIPTED = new URL("../../support/scripted-thread.ts", import.meta.url);

function request(sql: string): LineageRequest {
  return { sql, dialect: "postgres", relations: [{ database: "", schema: "", name: "t", columns: ["a"] }] };
}

describe("the threads that read SQL", () => {
  let lineage: SqlLineage | undefined;

  function open(options: SqlLineageOptions): SqlLineage {
    lineage = createSqlLineage(options);
    return lineage;
  }

  afterEach(() => lineage?.close());

  it("answer what the resolver answers", async () => {
    const { resolve } = open({});
    const parent = { relation: 0, column: "a", kind: "DIRECT", transformation: "IDENTITY", expression: "a" };
    expect(await resolve(request("select a as b from t"))).toEqual({
      columns: [{ name: "b", parents: [parent], unresolved: null, basis: expect.any(String) }],
      incomplete: null,
      notes: [],
    });
  });

  it("take texts in their order", async () => {
    const { resolve } = open({ script: SCRIPTED });
    const answers = await Promise.all(["x", "y", "z"].map((sql) => resolve(request(sql))));
    expect(answers).toEqual(["x, number 1", "y, number 2", "z, number 3"].map((unresolved) => ({ unresolved })));
  });

  it("give up a text that takes too long, and read the next one in a new thread", async () => {
    const { resolve } = open({ script: SCRIPTED, timeoutMs: 500 });
    const [slow, next] = await Promise.all([resolve(request("be silent")), resolve(request("x"))]);
    expect(slow).toEqual({ unresolved: "reading the text took longer than 0.5 seconds", gaveUp: true });
    expect(next).toEqual({ unresolved: "x, number 1" });
  });

  it.each([
    ["exit", "the parser's thread ended: exit code 3"],
    ["throw", "the parser's thread ended: a fault of the thread"],
  ])("answer a text that ends its thread by %s, and read the next one in a new thread", async (sql, unresolved) => {
    const { resolve } = open({ script: SCRIPTED });
    const answers = await Promise.all([resolve(request("x")), resolve(request(sql)), resolve(request("y"))]);
    expect(answers).toEqual([
      { unresolved: "x, number 1" },
      { unresolved, gaveUp: true },
      { unresolved: "y, number 1" },
    ]);
  });

  it("replace a thread that says that it is broken", async () => {
    const { resolve } = open({ script: SCRIPTED });
    const answers = await Promise.all([resolve(request("break")), resolve(request("x"))]);
    expect(answers).toEqual([{ unresolved: "break, number 1" }, { unresolved: "x, number 1" }]);
  });

  it("read in several threads at once", async () => {
    const { resolve } = open({ script: SCRIPTED, threads: 2, timeoutMs: 10_000 });
    const silent = resolve(request("be silent"));
    expect(await resolve(request("x"))).toEqual({ unresolved: "x, number 1" });
    const [refused] = await Promise.allSettled([silent, lineage?.close()]);
    expect(refused).toMatchObject({ status: "rejected", reason: { code: "unavailable" } });
  });

  it("end when there is nothing to read for a while", async () => {
    const { resolve } = open({ script: SCRIPTED, idleMs: 1 });
    await resolve(request("x"));
    await vi.waitFor(async () => expect(await resolve(request("y"))).toEqual({ unresolved: "y, number 1" }));
  });

  it("refuse what comes after the end", async () => {
    const { resolve, close } = open({ script: SCRIPTED });
    await close();
    await expect(resolve(request("x"))).rejects.toMatchObject({ code: "unavailable" });
  });
});
