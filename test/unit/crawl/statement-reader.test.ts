import { expect, it } from "vitest";

import { createStatementReader } from "../../../src/crawl/statement-reader.ts";
import type { LineageRequest } from "../../../src/sql-lineage/request.ts";
import { THE_SERVICE } from "../../../src/work/caller.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";

function request(sql: string): LineageRequest {
  return { sql, dialect: "postgres", relations: [] };
}

it("has at most 64 texts of many read at once, and answers each in its place", async () => {
  const { store } = await openTestMetadata();
  let asked = 0;
  let most = 0;
  const resolve = async ({ sql }: LineageRequest) => {
    asked += 1;
    most = Math.max(most, asked);
    await Promise.resolve();
    asked -= 1;
    return { unresolved: sql };
  };
  const texts = Array.from({ length: 500 }, (_, i) => `select ${i}`);
  const answers = await createStatementReader({ resolve }, store.lineageAnswers).read(texts.map(request), THE_SERVICE);
  expect(answers).toEqual(texts.map((unresolved) => ({ unresolved })));
  expect(most).toBe(64);
});
