/** Lists the tools as the protocol does, with JSON Schemas. */
import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { z } from "zod";

import type { Tool } from "../tools/tool.ts";

export function listTools(tools: readonly Tool[]): ListedTool[] {
  return tools.map(({ name, title, description, input, output, asksOutside = false }) => ({
    name,
    title,
    description,
    inputSchema: toObjectSchema(input, "input"),
    outputSchema: toObjectSchema(output, "output"),
    // No tool changes anything, so the hints about changes mean nothing.
    annotations: { readOnlyHint: true, openWorldHint: asksOutside },
  }));
}

/** What a call is checked for anyway, with a message that says what is wrong. */
const LEFT_OUT = {
  input: ["minLength", "maxLength", "minItems", "maxItems", "pattern", "format"],
  output: ["additionalProperties", "required", "enum", "minimum", "maximum", "pattern", "format"],
} as const;

/**
 * Makes a short JSON Schema, because models read all of it with every question. An answer's says the names of its fields and
 * how they are nested. Of texts and numbers it leaves out the type, which the value shows. `INSTRUCTIONS` says what the
 * fields of all answers mean.
 */
function toObjectSchema(schema: z.ZodObject, io: "input" | "output"): ListedTool["inputSchema"] {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema }) {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      for (const keyword of LEFT_OUT[io]) delete jsonSchema[keyword];
    },
  });
  return JSON.parse(JSON.stringify(json), (key, value) =>
    io === "output" && key === "type" && isPlain(value) ? undefined : value,
  );
}

const PLAIN: ReadonlySet<unknown> = new Set(["string", "integer", "number", "boolean", "null"]);

/** Whether it is the type of a text or number; what an answer names `type` has an object here. */
function isPlain(type: unknown): boolean {
  return Array.isArray(type) ? type.every((each) => PLAIN.has(each)) : PLAIN.has(type);
}
