import { readFile } from "node:fs/promises";

import { expect, it } from "vitest";

import { NODE_TYPES as CATALOG_TYPES } from "../../../src/catalog/node-types.ts";
import { NODE_TYPE_TABLE, NODE_TYPES } from "../../../src/ui/parts/node-types.ts";

it("The UI has a row for each node type of the catalog", () => {
  expect(NODE_TYPES.toSorted()).toEqual(CATALOG_TYPES.toSorted());
});

it("Each node type of the UI has a colour that the theme defines", async () => {
  const tokens = await readFile("src/ui/theme/tokens.css", "utf8");
  for (const { colour } of Object.values(NODE_TYPE_TABLE)) expect(tokens).toContain(`  ${colour}:`);
});
