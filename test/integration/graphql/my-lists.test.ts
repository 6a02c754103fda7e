/** What each person keeps: favourites, what they saw, saved searches. */
import { afterAll, beforeAll, expect, it } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { createTestClock, DAY_MS, MINUTE_MS } from "../../support/clock.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { at } from "../../support/rest-client.ts";

let running: RunningApp;
let ask: GraphqlClient;
beforeAll(async () => {
  running = await startApp({ sample: true });
  ask = createGraphqlClient(running);
});
afterAll(() => running.close());

const SEEN = `mutation ($id: ID!, $page: SeenPage!) { noteSeen(input: { id: $id, page: $page }) { id } }`;
const MARK = `mutation ($id: ID!, $favourite: Boolean!) { setFavourite(input: { id: $id, favourite: $favourite }) { id } }`;
const SAVE = `mutation ($name: String!, $query: String!) { saveSearch(input: { name: $name, query: $query }) { search { id name query } } }`;

it("keeps what a person opened, the favourites and the first steps", async () => {
  const { data } = await ask(`{ assets(types: [model], first: 2) { nodes { id name } } }`);
  const [a, b] = [0, 1].map((i) => at(data, "assets", "nodes", i));
  const [aId, bId] = [at(a, "id"), at(b, "id")];
  for (const [id, page] of [
    [aId, "asset"],
    [bId, "asset"],
    [aId, "impact"],
  ]) {
    expect((await ask(SEEN, { id, page })).codes).toEqual([]);
  }
  await ask(MARK, { id: bId, favourite: true });
  const query = `query ($a: ID!, $b: ID!) { myRecent { name } myFavourites { name } myFirstSteps
    a: isMyFavourite(id: $a) b: isMyFavourite(id: $b) }`;
  expect((await ask(query, { a: aId, b: bId })).data).toEqual({
    myRecent: [{ name: at(a, "name") }, { name: at(b, "name") }],
    myFavourites: [{ name: at(b, "name") }],
    myFirstSteps: ["asset", "impact"],
    a: false,
    b: true,
  });
  await ask(MARK, { id: bId, favourite: false });
  expect((await ask(`{ myFavourites { name } }`)).data).toEqual({ myFavourites: [] });
  expect((await ask(SEEN, { id: "nobody", page: "asset" })).codes).toEqual(["NOT_FOUND"]);
  const reader = createGraphqlClient({ url: running.url, token: await running.createToken(["read"]) });
  expect((await reader(`{ myRecent { name } }`)).codes).toEqual(["FORBIDDEN"]);
});

it("saves searches by name, and refuses names and queries that are empty", async () => {
  const saved = await ask(SAVE, { name: " Mine ", query: "q=orders&type=model" });
  expect(saved.data).toEqual({
    saveSearch: { search: { id: "q=orders&type=model", name: "Mine", query: "q=orders&type=model" } },
  });
  const codes = [
    await ask(SAVE, { name: "  ", query: "q=x" }),
    await ask(SAVE, { name: "x", query: "" }),
    await ask(SAVE, { name: "x", query: `q=${"x".repeat(2_000)}` }),
  ].flatMap(({ codes: found }) => found);
  expect(codes).toEqual(["BAD_REQUEST", "BAD_REQUEST", "BAD_REQUEST"]);
  expect((await ask(`{ mySearches { name } }`)).data).toEqual({ mySearches: [{ name: "Mine" }] });
  await ask(`mutation { removeSearch(input: { id: "q=orders&type=model" }) { id } }`);
  expect((await ask(`{ mySearches { name } }`)).data).toEqual({ mySearches: [] });
});

it("A visit of a page tells when the person was there last, and lasts half an hour", async () => {
  const clock = createTestClock("2026-03-02T10:00:00.000Z");
  const own = await startApp({ overrides: { clock } });
  const visit = createGraphqlClient(own);
  const note = async () => {
    const { data, message } = await visit("mutation { noteVisit(input: { page: changes }) { before } }");
    expect(message).toBe("");
    return at(data, "noteVisit", "before");
  };
  expect(await note()).toBeNull();
  clock.advance(DAY_MS);
  const first = await note();
  expect(first).toBe("2026-03-02T10:00:00.000Z");
  clock.advance(10 * MINUTE_MS);
  expect(await note()).toBe(first);
  clock.advance(DAY_MS);
  expect(await note()).toBe("2026-03-03T10:10:00.000Z");
  await own.close();
});
