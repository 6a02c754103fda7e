import { expect, it } from "vitest";

import { measureSpeeds } from "../../bench/support/speeds.ts";

it("The benchmark of the usual questions gets an answer to each from a small catalog", async () => {
  const { speeds } = await measureSpeeds({ assets: 400, edges: 1_200, models: 30, rounds: 1, pauseMs: 0 });
  expect(speeds.map(({ question }) => question)).toEqual([
    "one asset",
    "page of 50",
    "search, a common word",
    "search, a rare word",
    "search, two words",
    "search, misspelt",
    "lineage, depth 3",
    "lineage of a hub, depth 10",
    "impact on some 50",
    "impact on everything below a hub",
    "GraphQL, three levels",
  ]);
  for (const { bytes } of speeds) expect(bytes).toBeGreaterThan(200);
});
