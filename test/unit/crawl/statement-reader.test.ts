import { expect, it } from "vitest";

import { createStatementReader } from "../../../src/crawl/statement-reader.ts";
import type { LineageRequest } from "../../../src/sql-lineage/request.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";

const relation = (columns: number) => ({
  database: "",
  schema: "",
  name: "t",
  columns: Array.from({ length: columns }, (_, i) => `c${i}`),
});

it.each<[string, Partial<LineageRequest>, string]>([
  ["too long a text", { sql: `select 1 /* ${"x".repeat(1_048_576)} */` }, "the SQL has more than 1048576 characters"],
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
])("A statement of %s is not read, and says so; the others are", async (_, large, reason) => {
  const { store } = await openTestMetadata();
  const read: string[] = [];
  const resolve = ({ sql }: LineageRequest) => {
    read.push(sql);
    return Promise.resolve({ unresolved: "read" });
  };
  const reader = createStatementReader({ resolve }, store.lineageAnswers);
  const small: LineageRequest = { sql: "select 2", dialect: "postgres", relations: [relation(1)] };
  const answers = await reader.read([{ ...small, ...large }, small], new AbortController().signal);
  expect(answers).toEqual([{ unresolved: reason }, { unresolved: "read" }]);
  expect(read).toEqual(["select 2"]);
});
