import { expect, it } from "vitest";

import type { AssetStatement } from "../../../../src/catalog/statement.ts";
import { toOneStatement } from "../../../../src/connectors/dbt/one-statement.ts";

const statement = (sourceId: string, more: Partial<AssetStatement>, gap = ""): AssetStatement => ({
  ref: { platform: "postgres", instance: "", type: "table", parts: ["wh", "raw", "t"] },
  name: "t",
  columns: [],
  ...more,
  facts: { sourceId, gap },
});

it("toOneStatement keeps a resource's note about left-out columns, even if another resource builds the relation", () => {
  const id = { name: "id", dataType: "", description: "", tags: [] };
  const source = { columns: [{ ...id, alikeNames: ["ID"] }], columnsSeen: true };
  const one = toOneStatement([
    statement("source.shop.raw.t", source, "its columns ID are left out"),
    statement("seed.shop.t", { columns: [id] }),
  ]);
  expect(one.facts).toMatchObject({ sourceId: "seed.shop.t", gap: "its columns ID are left out" });
  expect(one.columns).toEqual([{ ...id, alikeNames: ["ID"] }]);
});
