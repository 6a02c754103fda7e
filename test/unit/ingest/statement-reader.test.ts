import { expect, it } from "vitest";

import { createStatementReader } from "../../../src/ingest/statement-reader.ts";
import { type LineageRequest, unresolved } from "../../../src/sql-lineage/request.ts";
import { THE_SERVICE } from "../../../src/work/caller.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";
import { relationOf } from "../../support/sql-relation.ts";

function request(sql: string): LineageRequest {
  return { sql, dialect: "postgres", relations: [] };
}

it("At most 64 texts are read at once, and each answer has the position of its request", async () => {
  const { store } = await openTestMetadata();
  let asked = 0;
  let most = 0;
  const resolve = async ({ sql }: LineageRequest) => {
    asked += 1;
    most = Math.max(most, asked);
    await Promise.resolve();
    asked -= 1;
    return unresolved(sql);
  };
  const texts = Array.from({ length: 500 }, (_, i) => `select ${i}`);
  const answers = await createStatementReader({ resolve }, store.lineageAnswers).read(texts.map(request), THE_SERVICE);
  expect(answers).toEqual(texts.map((text) => unresolved(text)));
  expect(most).toBe(64);
});

const relation = (columns: number) =>
  relationOf(
    "t",
    Array.from({ length: columns }, (_, i) => `c${i}`),
  );

it.each<[string, Partial<LineageRequest>, string]>([
  [
    "a text that is too long",
    { sql: `select 1 /* ${"x".repeat(1_048_576)} */` },
    "the SQL has more than 1048576 characters",
  ],
  [
    "too many relations",
    { relations: Array.from({ length: 1_001 }, () => relation(1)) },
    "it derives from more than 1000 relations",
  ],
  [
    "too many columns",
    { relations: Array.from({ length: 11 }, () => relation(10_000)) },
    "what it derives from has more than 100000 columns",
  ],
])("A statement with %s is not read, and says so, and the others are read", async (_, large, reason) => {
  const { store } = await openTestMetadata();
  const read: string[] = [];
  const resolve = ({ sql }: LineageRequest) => {
    read.push(sql);
    return Promise.resolve(unresolved("read"));
  };
  const reader = createStatementReader({ resolve }, store.lineageAnswers);
  const small: LineageRequest = { sql: "select 2", dialect: "postgres", relations: [relation(1)] };
  const answers = await reader.read([{ ...small, ...large }, small], THE_SERVICE);
  expect(answers).toEqual([unresolved(reason), unresolved("read")]);
  expect(read).toEqual(["select 2"]);
});
