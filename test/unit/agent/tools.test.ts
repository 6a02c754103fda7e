import { Kind, type OperationDefinitionNode } from "graphql";
import { describe, expect, it } from "vitest";

import { idsIn, TOOLS, trimResult } from "../../../src/agent/model/tools.ts";
import { loadOperations } from "../../../src/graphql/operations.ts";
import { schema } from "../../../src/graphql/schema.ts";
import { present } from "../../support/present.ts";

const operations = loadOperations();

function definitionOf(name: string): OperationDefinitionNode {
  const found = present(operations.get(name)).definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
  return present(found);
}

describe.each(TOOLS)("the tool $name", ({ operation, input }) => {
  const definition = definitionOf(operation);

  it("is a query, and needs no more than reading", () => {
    expect(definition.operation).toBe("query");
    const fields = definition.selectionSet.selections.map((selection) =>
      selection.kind === Kind.FIELD ? selection.name.value : "no field",
    );
    const query = present(schema.getQueryType());
    expect(fields.map((name) => query.getFields()[name]?.extensions["requires"])).toEqual(["read"]);
  });

  it("takes what its operation takes, and nothing else", () => {
    const variables = definition.variableDefinitions?.map(({ variable }) => variable.name.value) ?? [];
    expect(Object.keys(input.shape).toSorted()).toEqual(variables.toSorted());
    expect(input.safeParse({ ...Object.fromEntries(variables.map((name) => [name, "x"])), more: 1 }).success).toBe(
      false,
    );
  });
});

describe("what a model reads of an answer", () => {
  it("is in one line, short, and says what was left out", () => {
    const trimmed = trimResult({
      description: `a\u202e\nb ${"long ".repeat(200)}`,
      nodes: Array.from({ length: 99 }, () => 1),
    });
    expect(trimmed).toMatchObject({ description: expect.stringMatching(/^a b [^\n]{1,300}$/) as string });
    expect((trimmed as { nodes: unknown[] }).nodes.slice(-2)).toEqual([1, "and 39 more"]);
  });

  it("tells every id, however deep", () => {
    expect(idsIn({ a: { id: "1", up: [{ id: "2" }, { node: { id: "3" } }] }, id: null, b: "id" })).toEqual([
      "1",
      "2",
      "3",
    ]);
  });
});
