/** REST, GraphQL and the tools give the same answers about the sample, whatever the size of the tools' pages. */
import type { Client } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";

import { setRateLimit } from "../../../src/auth/security-settings.ts";
import { ASSET_TYPES } from "../../../src/catalog/node-types.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { createGraphqlFace, createMcpFace, createRestFace, type Question } from "../../support/faces.ts";
import { createGraphqlClient } from "../../support/graphql-client.ts";
import { callToTheEnd, connectByHttp } from "../../support/mcp.ts";
import { present } from "../../support/present.ts";
import { adminOf, authPartsOf } from "../../support/oauth.ts";
import { at, createRestClient } from "../../support/rest-client.ts";

/** The highest limit, which no test reaches. */
const RATE_LIMIT = 10_000;

let running: RunningApp;
let client: Client;
/** Columns, and all other nodes. There are fewer of the others, and they have more edges. */
let nodes: { id: string; type: string }[][];
beforeAll(async () => {
  running = await startApp({ sample: true });
  await setRateLimit(authPartsOf(running.app), await adminOf(running.app), RATE_LIMIT);
  client = await connectByHttp(running);
  const bounds = { limit: 200, maxCharacters: 100_000 };
  const { items: assets } = await callToTheEnd(client, "search_assets", bounds);
  const { items: metrics } = await callToTheEnd(client, "list_metrics", bounds);
  const all = [
    ...assets.map((item) => ({ id: String(at(item, "id")), type: String(at(item, "type")) })),
    ...metrics.map((item) => ({ id: String(at(item, "id")), type: "metric" })),
  ];
  nodes = [all.filter(({ type }) => type === "column"), all.filter(({ type }) => type !== "column")];
});
afterAll(async () => {
  await client.close();
  await running.close();
});

const WORDS = [
  "order",
  "revenue net",
  "fct_orders",
  "customer",
  "stg",
  "spend ad",
  "shop.marts",
  "nothing like it",
  "é",
];

const place = fc.tuple(fc.constantFrom(0, 1), fc.nat());
function nodeAt([kind, from]: readonly [number, number]): { id: string; type: string } {
  const list = nodes[kind] ?? [];
  return present(list[from % list.length]);
}

const question: fc.Arbitrary<() => Question> = fc.oneof(
  fc
    .record({ search: fc.constantFrom("", ...WORDS), type: fc.option(fc.constantFrom(...ASSET_TYPES)) })
    .map(({ search, type }) => () => ({ about: "search" as const, search, type: type ?? undefined })),
  fc.constantFrom("", ...WORDS).map((search) => () => ({ about: "metrics" as const, search })),
  fc.record({ at: place, about: fc.constantFrom("asset" as const, "columns" as const) }).map((one) => () => {
    const { id, type } = nodeAt(one.at);
    // REST has no such path for metrics.
    return type === "metric" ? { about: "metrics" as const, search: "" } : { about: one.about, id };
  }),
  fc
    .record({
      at: place,
      direction: fc.constantFrom("upstream", "downstream"),
      depth: fc.integer({ min: 1, max: 10 }),
      uses: fc.constantFrom("direct" as const, "all" as const),
    })
    .map(({ at: from, ...walk }) => () => ({ about: "walk" as const, id: nodeAt(from).id, ...walk })),
  fc
    .record({ at: place, change: fc.constantFrom("column_drop", "column_rename", "type_change", "deprecate") })
    .map(({ at: from, change }) => () => {
      const { id, type } = nodeAt(from);
      const hasColumns = type === "table" || type === "model" || type === "column";
      return { about: "impact" as const, id, change: hasColumns ? change : "deprecate" };
    }),
);

const bounds = fc.record({
  limit: fc.integer({ min: 5, max: 200 }),
  maxCharacters: fc.integer({ min: 10_000, max: 100_000 }),
});

it("REST, GraphQL and the tools give the same answers, in pages of any size", async () => {
  const rest = createRestFace(createRestClient(running), 100);
  const graphql = createGraphqlFace(createGraphqlClient(running));
  await fc.assert(
    fc.asyncProperty(question, bounds, async (ask, each) => {
      const asked = ask();
      const byRest = await rest(asked);
      expect(await graphql(asked)).toEqual(byRest);
      expect(await createMcpFace(client, each)(asked)).toEqual(byRest);
    }),
    { numRuns: 80 },
  );
});
