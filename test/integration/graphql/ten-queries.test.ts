/** The queries of `docs/api.md`, on the sample that they are written for. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { findCodeBlocks, readPages } from "../../support/pages.ts";
import { present } from "../../support/present.ts";

const page = present(readPages().find(({ path }) => path === "docs/api.md"));
const queries = findCodeBlocks(page).flatMap(({ lang, text }) => (lang === "graphql" ? [text] : []));

let running: RunningApp;
let client: GraphqlClient;
beforeAll(async () => {
  running = await startApp({ sample: true });
  client = createGraphqlClient(running);
});
afterAll(() => running.close());

/** The values of an answer that are no objects, at any depth. */
function leavesOf(value: unknown): unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesOf) : [value];
}

describe("the queries of the page about the API", () => {
  it("are ten", () => {
    expect(queries).toHaveLength(10);
  });

  it.each(queries)("answer something: %s", async (query) => {
    const { data, codes } = await client(query);
    expect(codes).toEqual([]);
    // More than a count and a name.
    expect(leavesOf(data).filter((leaf) => leaf !== null && leaf !== 0).length).toBeGreaterThan(2);
  });
});
