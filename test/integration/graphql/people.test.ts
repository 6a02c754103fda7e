/** What people are called, wherever they are named. */
import { afterAll, beforeAll, expect, it } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { nodeOf, stampOf } from "../../support/graph-writes.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { present } from "../../support/present.ts";
import { at } from "../../support/rest-client.ts";

let running: RunningApp;
let client: GraphqlClient;
beforeAll(async () => {
  running = await startApp();
  client = createGraphqlClient(running);
  const { metadata, graph } = running.app;
  const { id: workspaceId } = present(await metadata.workspaces.findByName("default"));
  await metadata.users.create({ workspaceId, email: "Ada@example.com", role: "analyst", name: "Ada Byron" });
  await graph.writeNodes(stampOf(workspaceId, "shop", 1), "all", [
    nodeOf(workspaceId, "table", "a", { owner: "ada@example.com" }),
    nodeOf(workspaceId, "dashboard", "b", { owner: "ADA@example.com", ownerName: "The lady" }),
    nodeOf(workspaceId, "table", "c", { owner: "grace@example.com" }),
    nodeOf(workspaceId, "dashboard", "d", { owner: "Grace@example.com", ownerName: "Grace Hopper" }),
    nodeOf(workspaceId, "table", "e", { ownerName: "finance" }),
    nodeOf(workspaceId, "table", "f", { owner: "nobody@example.com" }),
    nodeOf(workspaceId, "table", "g"),
  ]);
});
afterAll(() => running.close());

it("A person has one name on all rows: the user's, or else the one that a source states, or else the address", async () => {
  const { data } = await client("{ assets { nodes { name ownedBy { name address } } } }");
  expect(at(data, "assets", "nodes")).toEqual([
    { name: "a", ownedBy: { name: "Ada Byron", address: "ada@example.com" } },
    { name: "b", ownedBy: { name: "Ada Byron", address: "ADA@example.com" } },
    { name: "c", ownedBy: { name: "Grace Hopper", address: "grace@example.com" } },
    { name: "d", ownedBy: { name: "Grace Hopper", address: "Grace@example.com" } },
    { name: "e", ownedBy: { name: "finance", address: null } },
    { name: "f", ownedBy: { name: "nobody@example.com", address: "nobody@example.com" } },
    { name: "g", ownedBy: null },
  ]);
});

it("The owners that are counted have names too", async () => {
  const { data } = await client("{ assets { facets { owners { value person { name } } tags { person { name } } } } }");
  expect(at(data, "assets", "facets", "owners")).toEqual(
    expect.arrayContaining([
      { value: "ada@example.com", person: { name: "Ada Byron" } },
      { value: null, person: null },
    ]),
  );
});

it("Whom a filter means has the same name, and an unknown address or a team is called as it is written", async () => {
  const { data } = await client(`{ ada: person(named: "ADA@example.com") { name address }
    grace: person(named: "grace@example.com") { name } team: person(named: "finance") { name address }
    unknown: person(named: "eve@example.com") { name } nobody: person(named: "") { name } }`);
  expect(data).toEqual({
    ada: { name: "Ada Byron", address: "ADA@example.com" },
    grace: { name: "Grace Hopper" },
    team: { name: "finance", address: null },
    unknown: { name: "eve@example.com" },
    nobody: null,
  });
});
