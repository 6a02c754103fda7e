import { expect, it } from "vitest";

import { RowsPlugin, toStoredValue } from "../../../src/metadata/stored-values.ts";

async function read(row: Record<string, unknown>): Promise<unknown> {
  const { rows } = await new RowsPlugin().transformResult({ result: { rows: [row] }, queryId: { queryId: "q" } });
  return rows[0];
}

it("Lists, maps, and yes or no are read as they were written", async () => {
  const row = {
    user_ids: ["usr_1"],
    details: { note: "null" },
    waits: null,
    sso: true,
    has_password: false,
    name: "[]",
  };
  const stored = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toStoredValue(value)]));
  expect(stored).toEqual({ ...row, user_ids: '["usr_1"]', details: '{"note":"null"}', sso: 1, has_password: 0 });
  expect(await read(stored)).toEqual({
    userIds: ["usr_1"],
    details: { note: "null" },
    waits: null,
    sso: true,
    hasPassword: false,
    name: "[]",
  });
});

it("A column with JSON may hold the null of JSON", async () => {
  expect(await read({ state: "null" })).toEqual({ state: null });
});

it("What is neither text, a number, a list nor a map is refused", () => {
  expect(() => toStoredValue(undefined)).toThrow(TypeError);
  expect(() => toStoredValue("a\0b")).toThrow("U+0000");
});
