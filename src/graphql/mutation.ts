/** The form of every mutation: one argument `input`, and a payload of its own that holds what was changed. */
import type { ObjectRef } from "@pothos/core";

import { builder } from "./builder.ts";

type GraphqlTypes = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Types> ? Types : never;

/** What a mutation resolves to that changes one object. */
interface Changed<Shape> {
  changed: Shape;
}

/**
 * Declares the payload of a mutation that changes one object.
 * @param mutation its name, such as `renameApiKey`
 * @param field the name of the field that shows the object
 */
export function payloadType<Shape extends object>(
  mutation: string,
  field: string,
  type: ObjectRef<GraphqlTypes, Shape>,
  description: string,
): ObjectRef<GraphqlTypes, Changed<Shape>> {
  return builder.objectRef<Changed<Shape>>(payloadName(mutation)).implement({
    description: `What \`${mutation}\` answers.`,
    fields: (t) => ({ [field]: t.expose("changed", { type, description }) }),
  });
}

function payloadName(mutation: string): string {
  return `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Payload`;
}

export const INPUT_DESCRIPTION = "What to do.";
