import { readFile } from "node:fs/promises";

import { expect, it } from "vitest";

import { NODE_TYPES as CATALOG_TYPES } from "../../../src/catalog/node-types.ts";
import { NODE_TYPE_TABLE, NODE_TYPES } from "../../../src/ui/parts/node-types.ts";

it("has a row in the UI for each node type of the catalog", () => {
  expect(NODE_TYPES.toSorted()).toEqual(CATALOG_TYPES.toSorted());
});

it("gives each node type of the UI a colour that the theme defines", async () => {
  const tokens = await readFile("src/ui/theme/tokens.css", "utf8");
  for (const { colour } of Object.values(NODE_TYPE_TABLE)) expect(tokens).toContain(`  ${colour}:`);
});
