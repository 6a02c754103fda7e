import { Kind, type OperationDefinitionNode } from "graphql";
import { describe, expect, it } from "vitest";

import { readOperations } from "../../../src/graphql/operations.ts";
import { schema } from "../../../src/graphql/schema.ts";
import { listTools } from "../../../src/mcp/tool-list.ts";
import { TOOLS } from "../../../src/tools/tools.ts";
import { present } from "../../support/present.ts";

const operations = [...readOperations(["tools"])].filter(([name]) => name.startsWith("Tool"));

describe.each(operations)("the operation %s of the tools", (_name, document) => {
  const definition = document.definitions.find(
    (each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION,
  );

  it("is a query, and needs no more than reading", () => {
    const { operation, selectionSet } = present(definition);
    expect(operation).toBe("query");
    const query = present(schema.getQueryType()).getFields();
    for (const field of selectionSet.selections) {
      const name = field.kind === Kind.FIELD ? field.name.value : "no field";
      // What `nodes` is asked for are ids of the catalog alone, which need the same scope.
      expect(name === "nodes" ? "read" : query[name]?.extensions["requires"]).toBe("read");
    }
  });
});

describe("the tools", () => {
  const listed = listTools(TOOLS);

  it("have names as models call them, and say when to take them", () => {
    for (const { name, description = "" } of listed) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(description.length).toBeGreaterThan(150);
      expect(description.length).toBeLessThan(600);
    }
  });

  it("take nothing that they do not tell of, and bound the size of what they answer", () => {
    for (const { inputSchema } of listed) {
      expect(inputSchema).toMatchObject({
        type: "object",
        additionalProperties: false,
        properties: { maxCharacters: { default: 20_000, minimum: 2_000, maximum: 100_000 } },
      });
    }
  });

  it("tell how much there is, and how to go on", () => {
    for (const { outputSchema } of listed) {
      const names = Object.keys(present(outputSchema).properties ?? {});
      expect(names).toEqual(expect.arrayContaining(["total", "returned", "truncated", "nextCursor", "items"]));
    }
  });

  it("are told in few enough characters to be read with every question", () => {
    const told = listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(JSON.stringify(told).length).toBeLessThan(15_000);
  });
});
