/** The form of every mutation: one argument `input`, and its own payload type, which has what was changed. */
import type { ObjectRef } from "@pothos/core";

import { builder } from "./builder.ts";

type GraphqlTypes = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Types> ? Types : never;

/** The result of a mutation that changes one object. */
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
    description: `The answer of \`${mutation}\`.`,
    fields: (t) => ({ [field]: t.expose("changed", { type, description }) }),
  });
}

/** Declares the payload of a mutation that removes an object, so that only its id can be shown. */
export function idPayloadType(mutation: string, description: string): ObjectRef<GraphqlTypes, { id: string }> {
  return builder.objectRef<{ id: string }>(payloadName(mutation)).implement({
    description: `The answer of \`${mutation}\`.`,
    fields: (t) => ({ id: t.exposeID("id", { description }) }),
  });
}

function payloadName(mutation: string): string {
  return `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Payload`;
}

export const INPUT_DESCRIPTION = "What to do.";
