import { Kind, type OperationDefinitionNode } from "graphql";
import { describe, expect, it } from "vitest";

import { readOperations } from "../../../src/graphql/operations.ts";
import { schema } from "../../../src/graphql/schema.ts";
import { listTools } from "../../../src/mcp/tool-list.ts";
import { TOOLS } from "../../../src/tools/tools.ts";
import { present } from "../../support/present.ts";

const operations = [...readOperations(["tools"])].filter(([name]) => name.startsWith("Tool"));

describe.each(operations)("The operation %s of the tools", (_name, document) => {
  const definition = document.definitions.find(
    (each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION,
  );

  it("An operation of the tools is a query that needs only the read scope", () => {
    const { operation, selectionSet } = present(definition);
    expect(operation).toBe("query");
    const query = present(schema.getQueryType()).getFields();
    for (const field of selectionSet.selections) {
      const name = field.kind === Kind.FIELD ? field.name.value : "no field";
      // The ids given to `nodes` come from the catalog, which needs the same scope.
      expect(name === "nodes" ? "read" : query[name]?.extensions["requires"]).toBe("read");
    }
  });
});

describe("The tools", () => {
  const listed = listTools(TOOLS);

  it("A tool has a name as models write it, and says when to use it", () => {
    for (const { name, description = "" } of listed) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(description.length).toBeGreaterThan(140);
      expect(description.length).toBeLessThan(600);
    }
  });

  it("A tool accepts only the parameters that it describes, and limits the size of its answer", () => {
    for (const { inputSchema } of listed) {
      expect(inputSchema).toMatchObject({
        type: "object",
        additionalProperties: false,
        properties: { maxCharacters: { default: 20_000, minimum: 2_000, maximum: 100_000 } },
      });
    }
  });

  it("A tool's answer says how much there is, and how to continue", () => {
    for (const { outputSchema } of listed) {
      const names = Object.keys(present(outputSchema).properties ?? {});
      expect(names).toEqual(expect.arrayContaining(["total", "returned", "truncated", "nextCursor", "items"]));
    }
  });

  it("The tools are listed in under 5,000 tokens, so that a model can read the list with every question", () => {
    // OpenAI's o200k_base makes one token of 4.1 bytes of this JSON.
    expect(Buffer.byteLength(JSON.stringify({ tools: listed }))).toBeLessThan(20_000);
  });
});
