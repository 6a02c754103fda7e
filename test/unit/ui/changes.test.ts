import { expect, it } from "vitest";

import { describeChange, listChanges } from "../../../src/ui/pages/impact/change.ts";

it("a table can be dropped as a whole, and a column is dropped as a column", () => {
  expect(listChanges("table")).toContainEqual({ value: "asset_drop", label: "Drop it" });
  expect(listChanges("dashboard").map(({ value }) => value)).toEqual(["deprecate", "asset_drop"]);
  expect(listChanges("column").filter(({ label }) => label === "Drop it")).toEqual([
    { value: "column_drop", label: "Drop it" },
  ]);
  expect(describeChange({ type: "asset_drop", newType: null }, { name: "orders", type: "table" })).toBe(
    "`orders` is dropped",
  );
});
