/** Lists the tools as the protocol does, with JSON Schemas. */
import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { z } from "zod";

import type { Tool } from "../tools/tool.ts";

/** No tool changes anything. */
const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const;

export function listTools(tools: readonly Tool[]): ListedTool[] {
  return tools.map(({ name, title, description, input, output, asksOutside = false }) => ({
    name,
    title,
    description,
    inputSchema: toObjectSchema(input, "input"),
    outputSchema: toObjectSchema(output, "output"),
    annotations: { title, ...ANNOTATIONS, openWorldHint: asksOutside },
  }));
}

/** Makes a short JSON Schema without meaningless bounds, because models read all of it. */
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
