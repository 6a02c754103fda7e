/** Which indexes a search asks, in which order, and that the result equals a ranking of every row. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { CERTIFICATIONS } from "../../../../src/catalog/asset.ts";
import { NODE_TYPES, type NodeType } from "../../../../src/catalog/node-types.ts";
import { parseSearch, type SearchMode, type SearchQuery, TIER } from "../../../../src/catalog/search.ts";
import { findHits, type Hit, type Place } from "../../../../src/graph/memgraph/find-hits.ts";
import { toNodeId, toWorkspaceId } from "../../../../src/ids.ts";
import { propertyRuns } from "../../../support/depth.ts";
import { allPages } from "../../../support/graph-writes.ts";
import { present } from "../../../support/present.ts";
import { description, name, query as typed } from "../../../support/random-text.ts";
import { comparePlaces, createMemoryIndex, placeOf, type Question, type Row } from "../../../support/search-index.ts";

const W = toWorkspaceId("w");

function rowOf(i: number, given: Partial<Row>): Row {
  const fqn = given.fqn ?? `shop.t${String(i).padStart(5, "0")}`;
  const shared = { type: "table", description: "", tags: [], columnNames: [], owner: "", ownerName: "" } as const;
  const id = toNodeId(i.toString(16).padStart(32, "0"));
  return { ...shared, workspace: W, certification: "none", name: fqn, ...given, fqn, id, key: `${fqn}\u0001${id}` };
}

function bruteForce(rows: readonly Row[], query: SearchQuery, types: readonly NodeType[], mode: SearchMode): Place[] {
  const some = rows.filter(({ type }) => types.includes(type));
  return some.flatMap((row) => placeOf(row, query, mode) ?? []).toSorted(comparePlaces);
}

describe("The rows of a search", () => {
  const words = fc.constantFrom("orders", "order", "shop", "daily", "x", "2024");
  const name2 = fc.oneof(
    name,
    fc.array(words, { minLength: 1, maxLength: 3 }).map((some) => some.join("_")),
  );
  const row = fc.record({
    type: fc.constantFrom(...NODE_TYPES),
    name: name2,
    fqn: fc.tuple(name2, name2).map((parts) => parts.join(".")),
    description: fc.oneof(description, words),
    tags: fc.array(words, { maxLength: 2 }),
    certification: fc.constantFrom(...CERTIFICATIONS),
  });
  const drawn = fc.record({
    rows: fc.array(row, { maxLength: 30 }),
    text: fc.oneof(
      typed,
      name2,
      fc.array(words, { minLength: 1, maxLength: 3 }).map((some) => some.join(".")),
    ),
    types: fc.subarray([...NODE_TYPES], { minLength: 1 }),
    mode: fc.constantFrom<SearchMode>("all", "any"),
    limit: fc.integer({ min: 1, max: 7 }),
    limits: fc.record({
      few: fc.constantFrom(0, 1, 4, 1_000),
      firstWalk: fc.constantFrom(1, 3, 500),
      maxWalk: fc.constantFrom(1, 5, 20_000),
    }),
  });

  it("A search finds the same rows as a ranking of all rows, page by page, under any read limits", async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async ({ rows: given, text, types, mode, limit, limits }) => {
        const query = parseSearch(text);
        if (query === null) return;
        const tables = given.map(({ fqn }) => ({ type: "table" as const, fqn, name: "t" }));
        const columns = given.map((one) => (one.type === "column" ? { fqn: `${one.fqn}.${one.name}` } : {}));
        const all = given.flatMap((each, i) => [{ ...each, ...columns[i] }, tables[i] ?? {}]);
        const rows = all.map((each, i) => rowOf(i, each));
        const index = createMemoryIndex(rows, query, types);
        const hits = await allPages(
          async (after: Hit | null) => {
            const page = { mode, after: after?.place ?? null, limit: limit + 1 };
            const found = await findHits(index, { workspace: W, types, query }, page, limits);
            expect(found.length).toBeLessThanOrEqual(limit + 1);
            return { items: found.slice(0, limit), hasMore: found.length > limit };
          },
          (hit) => hit,
        );
        expect(hits.map(({ place }) => place)).toEqual(bruteForce(rows, query, types, mode));
      }),
      propertyRuns(400),
    );
  });
});

describe("The steps of a search", () => {
  const TYPES = ["table", "model", "dashboard", "pipeline", "column"] as const;

  async function ask(rows: readonly Row[], text: string, limit: number): Promise<{ hits: Hit[]; asked: Question[] }> {
    const query = present(parseSearch(text));
    const asked: Question[] = [];
    const index = createMemoryIndex(rows, query, TYPES, asked);
    const hits = await findHits(index, { workspace: W, types: TYPES, query }, { mode: "all", after: null, limit });
    return { hits, asked };
  }

  const many = Array.from({ length: 3_000 }, (_, i) =>
    rowOf(i, { name: i % 3 === 0 ? `stg_orders_${i}` : `stg_customers_${i}` }),
  );

  it("A search for a rare word ranks only the rows that have it", async () => {
    const { hits, asked } = await ask(many, "orders 2997", 21);
    expect(hits).toHaveLength(1);
    expect(asked.filter(({ what }) => what === "walk" || what === "rank")).toEqual([{ what: "rank", rows: 1 }]);
  });

  it("A search for a common word reads the rows in the order of results until the page is full", async () => {
    const rows = [...many, ...Array.from({ length: 3_000 }, (_, i) => rowOf(i + 3_000, { name: `orders of ${i}` }))];
    const { hits, asked } = await ask(rows, "stg orders", 51);
    expect(hits).toHaveLength(51);
    expect(hits.every(({ place }) => place.tier === TIER.name)).toBe(true);
    expect(asked.filter(({ what }) => what === "walk" || what === "rank")).toEqual([{ what: "walk", read: 500 }]);
    const common = await ask(rows, "orders", 51);
    expect(common.asked.filter(({ what }) => what === "walk" || what === "rank")).toEqual([
      { what: "walk", read: 500 },
      { what: "walk", read: 2_000 },
      { what: "walk", read: 3_500 },
    ]);
    expect(common.hits.every(({ place }) => place.tier === TIER.nameBegins)).toBe(true);
  });

  it("A search ranks the rows with a common word if reading in order finds too few of them", async () => {
    const hidden = Array.from({ length: 25_000 }, (_, i) =>
      rowOf(i, { name: i < 23_000 ? `t${i}` : `the orders ${i}` }),
    );
    const { hits, asked } = await ask(hidden, "orders", 11);
    expect(hits.map(({ place }) => place.key)).toEqual(hidden.slice(23_000, 23_011).map(({ key }) => key));
    const walks = asked.flatMap((question) => (question.what === "walk" ? [question.read] : []));
    expect(walks.reduce((sum, read) => sum + read, 0)).toBe(20_000);
    expect(asked.at(-1)).toEqual({ what: "rank", rows: 2_000 });
  });

  it("A search stops at the first tier that fills the page", async () => {
    const columns = Array.from({ length: 2_000 }, (_, i) => rowOf(i + 3_000, { type: "column", name: `orders_${i}` }));
    const { hits, asked } = await ask([...many.slice(0, 300), ...columns], "orders", 21);
    expect(hits.every(({ place }) => place.tier === TIER.name)).toBe(true);
    expect(asked.filter(({ what }) => what === "walk")).toEqual([]);
  });
});
