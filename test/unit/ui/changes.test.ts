import { expect, it } from "vitest";

import { describeChange, listChanges } from "../../../src/ui/pages/impact/change.ts";

it("a table can be dropped as a whole, and a column is dropped as a column", () => {
  expect(listChanges("table")).toContainEqual({ value: "asset_drop", label: "Drop the table" });
  expect(listChanges("dashboard").map(({ value }) => value)).toEqual(["deprecate", "asset_drop"]);
  expect(listChanges("column").filter(({ label }) => label.startsWith("Drop"))).toEqual([
    { value: "column_drop", label: "Drop the column" },
  ]);
  expect(describeChange({ type: "asset_drop", newType: null }, { name: "orders", type: "table" })).toBe(
    "`orders` is dropped",
  );
});

it("every change names what would change: the asset or a column", () => {
  expect(listChanges("model").map(({ label }) => label)).toEqual([
    "Drop a column",
    "Rename a column",
    "Change a type",
    "Deprecate the model",
    "Drop the model",
  ]);
  expect(listChanges("dashboard").map(({ label }) => label)).toEqual(["Deprecate the dashboard", "Drop the dashboard"]);
});
