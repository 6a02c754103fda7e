/** The compiler checks this file: each `@ts-expect-error` would be an error of its own if the line below it compiled. */
import { expect, it } from "vitest";

import { nodeId, type NodeRef } from "../../src/catalog/identity.ts";
import { toNodeId, toWorkspaceId, toWorkspaceName } from "../../src/ids.ts";
import { openTestMetadata } from "../support/metadata-store.ts";
import { makePrincipal } from "../support/principal.ts";
import { createReferenceGraph } from "../support/reference-graph.ts";

const X = toNodeId("x");
const orders: NodeRef = { platform: "postgres", instance: "", type: "table", parts: ["shop", "orders"] };

it("a workspace's name cannot be given where its id is meant, nor its id where its name is meant", async () => {
  const { workspace } = makePrincipal();
  const graph = createReferenceGraph();
  expect(await graph.loadNodes(workspace.id, [X])).toEqual([null]);
  // @ts-expect-error the graph divides its nodes by the ids of workspaces
  await graph.loadNodes(workspace.name, [X]);
  // @ts-expect-error ids of nodes are made from the name
  expect(nodeId(workspace.id, orders)).not.toBe(nodeId(workspace.name, orders));
});

it("a plain text is no id until somebody says so, and an id of one kind never becomes one of another", () => {
  // @ts-expect-error a text is not known to be a name
  expect(nodeId("default", orders)).toBe(nodeId(toWorkspaceName("default"), orders));
  // @ts-expect-error it is a name already
  expect(toWorkspaceId(toWorkspaceName("default"))).toBe("default");
});

it("a connector's id cannot be given where that of a sync is meant, nor an account's where a user's is meant", async () => {
  const { store, workspace, admin, addConnector } = await openTestMetadata();
  const connector = await addConnector("shop");
  // @ts-expect-error it is the id of a connector
  expect(await store.syncs.findById(workspace.id, connector.id)).toBeNull();
  // @ts-expect-error it is the id of a user
  expect(await store.accounts.findById(workspace.id, admin.id)).toBeNull();
  // @ts-expect-error it is the id of a user
  expect(await store.keys.findById(workspace.id, admin.id)).toBeNull();
});

it("a connector's id cannot be given where that of a node is meant, nor a node's where a connector's is meant", async () => {
  const { store, workspace, addConnector } = await openTestMetadata();
  const connector = await addConnector("shop");
  const graph = createReferenceGraph();
  // @ts-expect-error it is the id of a connector
  expect(await graph.loadNodes(workspace.id, [connector.id])).toEqual([null]);
  // @ts-expect-error it is the id of a node
  expect(await store.connectors.findById(workspace.id, nodeId(workspace.name, orders))).toBeNull();
});
