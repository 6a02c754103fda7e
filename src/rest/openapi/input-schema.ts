/** Builds the OpenAPI description of a route's input. */
import { z } from "zod";

import type { Route } from "../route.ts";
import type { JsonSchema, Operation, Parameter } from "./types.ts";

export function toParameters({ input }: Route): Parameter[] {
  return (["path", "query"] as const).flatMap((where) =>
    Object.entries(input[where] ?? {}).map(([name, type]) => toParameter(name, where, type)),
  );
}

function toParameter(name: string, where: "path" | "query", type: z.core.$ZodType): Parameter {
  // The output type is used: a page size comes as text, but it is documented as a number.
  const { description = "", examples = [], ...schema } = toJsonSchema(type, "output");
  const [example] = examples;
  const required = !z.safeParse(type, undefined).success;
  return { name, in: where, required, description, schema, ...(example !== undefined && { example }) };
}

export function toRequestBody({ input }: Route): Operation["requestBody"] {
  if (input.upload !== undefined) {
    const { description, type = "object", example } = input.upload;
    const body = { schema: { type, description }, ...(example !== undefined && { example }) };
    return { required: true, content: { "application/json": body } };
  }
  if (input.body === undefined) return undefined;
  const type = z.strictObject(input.body);
  const required = !type.safeParse({}).success;
  const schema = toJsonSchema(type, "input");
  const shown = Object.entries(schema.properties ?? {}).flatMap(([name, { examples = [] }]) =>
    examples.slice(0, 1).map((first) => [name, first]),
  );
  const example: unknown = Object.fromEntries(shown);
  return { required, content: { "application/json": { schema, ...(required && { example }) } } };
}

export function toJsonSchema(type: z.core.$ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(type, {
    io,
    override({ jsonSchema }) {
      // zod's bounds of every whole number say nothing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return schema as JsonSchema;
}
