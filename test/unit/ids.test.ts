/** The compiler checks this file: each `@ts-expect-error` would be an error of its own if the line below it compiled. */
import { expect, it } from "vitest";

import { nodeId, type NodeRef } from "../../src/catalog/identity.ts";
import { toWorkspaceId, toWorkspaceName } from "../../src/ids.ts";
import { makePrincipal } from "../support/principal.ts";
import { createReferenceGraph } from "../support/reference-graph.ts";

const orders: NodeRef = { platform: "postgres", instance: "", type: "table", parts: ["shop", "orders"] };

it("a workspace's name cannot be given where its id is meant, nor its id where its name is meant", async () => {
  const { workspace } = makePrincipal();
  const graph = createReferenceGraph();
  expect(await graph.loadNodes(workspace.id, ["x"])).toEqual([null]);
  // @ts-expect-error the graph divides its nodes by the ids of workspaces
  await graph.loadNodes(workspace.name, ["x"]);
  // @ts-expect-error ids of nodes are made from the name
  expect(nodeId(workspace.id, orders)).not.toBe(nodeId(workspace.name, orders));
});

it("a plain text is no id until somebody says so, and an id of one kind never becomes one of another", () => {
  // @ts-expect-error a text is not known to be a name
  expect(nodeId("default", orders)).toBe(nodeId(toWorkspaceName("default"), orders));
  // @ts-expect-error it is a name already
  expect(toWorkspaceId(toWorkspaceName("default"))).toBe("default");
});
