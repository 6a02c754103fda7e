/** The compiler checks this file. An `@ts-expect-error` is an error itself if the line below it compiles. */
import { expect, it } from "vitest";

import { nodeId, type NodeRef } from "../../src/catalog/identity.ts";
import { toNodeId, toWorkspaceId, toWorkspaceName } from "../../src/ids.ts";
import { openTestMetadata } from "../support/metadata-store.ts";
import { makePrincipal } from "../support/principal.ts";
import { createReferenceGraph } from "../support/reference-graph.ts";

const X = toNodeId("x");
const orders: NodeRef = { platform: "postgres", instance: "", type: "table", parts: ["shop", "orders"] };

it("The compiler refuses a workspace's name as its id, and its id as its name", async () => {
  const { workspace } = makePrincipal();
  const graph = createReferenceGraph();
  expect(await graph.loadNodes(workspace.id, [X])).toEqual([null]);
  // @ts-expect-error the graph divides its nodes by the ids of workspaces
  await graph.loadNodes(workspace.name, [X]);
  // @ts-expect-error ids of nodes are made from the name
  expect(nodeId(workspace.id, orders)).not.toBe(nodeId(workspace.name, orders));
});

it("The compiler refuses a plain text as an id, and an id of one kind as another", () => {
  // @ts-expect-error a text is not known to be a name
  expect(nodeId("default", orders)).toBe(nodeId(toWorkspaceName("default"), orders));
  // @ts-expect-error it is a name already
  expect(toWorkspaceId(toWorkspaceName("default"))).toBe("default");
});

it("The compiler refuses a connector's id as a sync's, and a user's as an account's", async () => {
  const { store, workspace, admin, addConnector } = await openTestMetadata();
  const connector = await addConnector("shop");
  // @ts-expect-error it is the id of a connector
  expect(await store.syncs.findById(workspace.id, connector.id)).toBeNull();
  // @ts-expect-error it is the id of a user
  expect(await store.accounts.findById(workspace.id, admin.id)).toBeNull();
  // @ts-expect-error it is the id of a user
  expect(await store.keys.findById(workspace.id, admin.id)).toBeNull();
});

it("The compiler refuses a connector's id as a node's, and a node's as a connector's", async () => {
  const { store, workspace, addConnector } = await openTestMetadata();
  const connector = await addConnector("shop");
  const graph = createReferenceGraph();
  // @ts-expect-error it is the id of a connector
  expect(await graph.loadNodes(workspace.id, [connector.id])).toEqual([null]);
  // @ts-expect-error it is the id of a node
  expect(await store.connectors.findById(workspace.id, nodeId(workspace.name, orders))).toBeNull();
});
