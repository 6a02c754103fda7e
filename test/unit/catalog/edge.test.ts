import { expect, it } from "vitest";

import { NODE_TYPES, type NodeType } from "../../../src/catalog/node-types.ts";
import { edgeLevels, walkLevel } from "../../../src/catalog/edge.ts";

/** The levels of an edge from the type of the row to the type of the column, by their first letters. */
const LEVELS = `
             table  model  dashboard  pipeline  column  metric
  table        a      a        a         a        -       a
  model        a      a        a         a        -       a
  dashboard    a      a        ac        ac       c       ac
  pipeline     a      a        ac        ac       c       ac
  column       -      -        c         c        c       c
  metric       a      a        ac        ac       c       ac
`;

it("An edge is walked at the levels of its ends, and none exists between a column and a table or model", () => {
  const [heads = [], ...rows] = LEVELS.trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
  for (const [from, ...cells] of rows) {
    const drawn = heads.map((to) => (edgeLevels(from as NodeType, to as NodeType) ?? ["-"]).map((level) => level[0]));
    expect([from, drawn.map((letters) => letters.join(""))]).toEqual([from, cells]);
  }
  expect(rows.map(([from]) => from)).toEqual(NODE_TYPES);
});

it("A walk from a column follows columns, and a walk from anything else follows assets", () => {
  expect(NODE_TYPES.filter((type) => walkLevel(type) === "column")).toEqual(["column"]);
});
