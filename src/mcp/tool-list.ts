/** The tools as the protocol lists them: their schemas as JSON Schema, made once. */
import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { z } from "zod";

import type { Tool } from "../tools/tool.ts";

/** None changes anything, none reaches beyond the catalog, and the same question has the same answer. */
const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

export function listTools(tools: readonly Tool[]): ListedTool[] {
  return tools.map(({ name, title, description, input, output }) => ({
    name,
    title,
    description,
    inputSchema: toObjectSchema(input, "input"),
    outputSchema: toObjectSchema(output, "output"),
    annotations: { title, ...ANNOTATIONS },
  }));
}

/** Plain JSON, and no more of it than says something: models read all of it. */
function toObjectSchema(schema: z.ZodObject, io: "input" | "output"): ListedTool["inputSchema"] {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema }) {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return JSON.parse(JSON.stringify(json));
}
