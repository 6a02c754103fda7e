import { afterEach, describe, expect, it } from "vitest";

import { type LineageRequest, unresolved } from "../../../src/sql-lineage/request.ts";
import { THE_SERVICE } from "../../../src/work/caller.ts";
import { createSqlLineage, type SqlLineage, type SqlLineageOptions } from "../../../src/sql-lineage/thread.ts";
import { brieflyUpTo } from "../../support/brief-countdown.ts";
import { relationOf } from "../../support/sql-relation.ts";

const SCRIPTED = new URL("../../support/scripted-thread.ts", import.meta.url);

function request(sql: string): LineageRequest {
  return { sql, dialect: "postgres", relations: [relationOf("t", ["a"])] };
}

describe("Threads that read SQL", () => {
  let lineage: SqlLineage | undefined;

  /** Reads for the service, or for another tenant. */
  function open(options: SqlLineageOptions) {
    const opened = createSqlLineage({ threads: 1, ...options });
    lineage = opened;
    const resolve = (asked: LineageRequest, tenant = "service") => opened.resolve(asked, { ...THE_SERVICE, tenant });
    return { resolve, close: opened.close };
  }

  afterEach(() => lineage?.close());

  it("A thread returns the resolver's answer", async () => {
    const { resolve } = open({});
    const parent = { relation: 0, column: "a", kind: "DIRECT", transformation: "IDENTITY", expression: "a" };
    expect(await resolve(request("select a as b from t"))).toEqual({
      columns: [{ name: "b", parents: [parent], unresolved: null, basis: expect.any(String) }],
      incomplete: null,
      notes: [],
      named: expect.any(Array),
      unresolvedUse: null,
      unfound: [],
      digest: expect.any(String),
      reads: [0],
      rows: { basis: expect.any(String), from: [] },
    });
  });

  it("A thread reads texts in their order", async () => {
    const { resolve } = open({ script: SCRIPTED });
    const answers = await Promise.all(["x", "y", "z"].map((sql) => resolve(request(sql))));
    expect(answers).toEqual(["x, number 1", "y, number 2", "z, number 3"].map((text) => unresolved(text)));
  });

  it("A text that takes too long is given up, and the next one is read in a new thread", async () => {
    // Only the processor time ends a task. The next one may have to wait longer for its thread.
    const { resolve } = open({ script: SCRIPTED, timeoutMs: 1_000, countdown: brieflyUpTo(1_000) });
    const [slow, next] = await Promise.all([resolve(request("be silent")), resolve(request("x"))]);
    expect(slow).toEqual({ ...unresolved("reading the text took longer than 1 seconds"), gaveUp: true });
    expect(next).toEqual(unresolved("x, number 1"));
  });

  it("A text that ends its thread is unresolved, and the next one is read in a new thread", async () => {
    const { resolve } = open({ script: SCRIPTED });
    const answers = await Promise.all(["x", "exit", "y"].map((sql) => resolve(request(sql))));
    expect(answers).toEqual([
      unresolved("x, number 1"),
      { ...unresolved("the parser's thread ended: worker exited with code: 3"), gaveUp: true },
      unresolved("y, number 1"),
    ]);
  });

  it("Reading continues after a fault of the reader, in a new thread if the fault may have broken it", async () => {
    const { resolve } = open({ script: SCRIPTED });
    const answers = await Promise.all(["x", "fail", "y", "trap", "z"].map((sql) => resolve(request(sql))));
    expect(answers).toEqual([
      unresolved("x, number 1"),
      unresolved("the text could not be read: a fault of the reader"),
      unresolved("y, number 2"),
      unresolved("the text could not be read: unreachable"),
      unresolved("z, number 1"),
    ]);
  });

  it("A crawl takes turns with a tenant who has many texts, and does not wait for it if there are two threads", async () => {
    const { resolve } = open({ script: SCRIPTED, threads: 2 });
    const slow = Promise.allSettled(["be silent", "be silent"].map((sql) => resolve(request(sql), "somebody")));
    expect(await resolve(request("x"), "crawl:shop")).toEqual(unresolved("x, number 1"));
    await lineage?.close();
    await slow;
  });

  it("A caller who disconnects gets an error at once", async () => {
    open({ script: SCRIPTED });
    const controller = new AbortController();
    const read = lineage?.resolve(request("be silent"), { tenant: "gone", signal: controller.signal });
    controller.abort(new Error("hung up"));
    await expect(read).rejects.toThrow("hung up");
  });

  it("Closing the threads refuses the running texts and the waiting ones", async () => {
    const { resolve } = open({ script: SCRIPTED });
    const reads = ["be silent", "x"].map((sql) => resolve(request(sql)));
    const [, ...outcomes] = await Promise.allSettled([lineage?.close(), ...reads]);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "unavailable" } });
  });

  it("A thread ends when it has nothing to read for a while", async () => {
    const { resolve } = open({ script: SCRIPTED, rest: { leastMs: 1, mostMs: 1 } });
    await resolve(request("x"));
    await expect.poll(() => resolve(request("y"))).toEqual(unresolved("y, number 1"));
  });

  it("Texts are refused after the threads are closed", async () => {
    const { resolve, close } = open({ script: SCRIPTED });
    await close();
    await expect(resolve(request("x"))).rejects.toMatchObject({ code: "unavailable" });
  });
});
