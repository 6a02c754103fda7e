import { expect, it } from "vitest";

import { valuesIn } from "../../../src/agent/names/find-values.ts";
import { spansByText } from "../../../src/agent/names/match.ts";
import { tokenize } from "../../../src/agent/names/tokens.ts";

it("A question is compared with each value in a turn of its own", async () => {
  const tokens = tokenize("who owns the finance models of sales");
  const byText = await spansByText(tokens, async () => {});
  const tag = Array.from({ length: 50 }, (_, at) => `finance_${at}`);
  const values = { tag, schema: ["sales"], owner: ["ada@example.com"], connector: [], materialization: ["view"] };
  let turns = 0;
  const mentions = await valuesIn({ tokens, readings: [], byText }, { values, names: [], isCut: false }, async () => {
    turns += 1;
  });
  expect(mentions.map(({ word }) => word)).toContainEqual({ is: "value", where: { is: "schema", any: ["sales"] } });
  expect(turns).toBe(tag.length + 3);
});
