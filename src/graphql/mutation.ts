/** The form of every mutation: one argument `input`, and its own payload type, which has what was changed. */
import type { InputFieldBuilder, InputFieldMap, InputShapeFromFields, ObjectRef } from "@pothos/core";

import type { Requirement } from "../auth/permissions.ts";
import { capitalize } from "../characters.ts";
import { builder, type FieldTable, type Fitting, type GraphqlTypes, objectType, requires, typed } from "./builder.ts";
import type { GraphqlContext } from "./context.ts";

export type InputBuilder = InputFieldBuilder<GraphqlTypes, "InputObject">;

/** Declares the payload type of a mutation by its name, and makes the payload of what the mutation returned. */
type Answer<Result, Payload> = (mutation: string) => {
  type: ObjectRef<GraphqlTypes, Payload>;
  toPayload(result: Result): Payload;
};

interface MutationOptions<Fields extends InputFieldMap, Result, Payload> {
  description: string;
  requires: Requirement;
  /** The description of the input type. */
  input: string;
  fields: (t: InputBuilder) => Fields;
  answer: Answer<Result, Payload>;
  resolve(input: InputShapeFromFields<Fields>, context: GraphqlContext): Promise<Result> | Result;
}

/** Declares a mutation, such as `renameApiKey`, with its input type `RenameApiKeyInput`. */
export function mutation<Fields extends InputFieldMap, Result, Payload extends object>(
  name: string,
  options: MutationOptions<Fields, Result, Payload>,
): void;
export function mutation(name: string, options: MutationOptions<InputFieldMap, unknown, object>): void {
  const { description, input, fields, answer } = options;
  const inputType = builder.inputType(`${capitalize(name)}Input`, { description: input, fields });
  const { type, toPayload } = answer(name);
  builder.mutationField(name, (t) =>
    t.field({
      ...typed(type, description),
      extensions: requires(options.requires),
      args: { input: t.arg({ type: inputType, required: true, description: "What to do." }) },
      resolve: async (_root, args, context) => toPayload(await options.resolve(args.input, context)),
    }),
  );
}

/** The mutation returns one object, which this field of its payload shows. */
export function shows<Shape extends object>(
  field: string,
  type: ObjectRef<GraphqlTypes, Shape>,
  description: string,
): Answer<Shape, { changed: Shape }> {
  return (name) => ({
    type: objectType<{ changed: Shape }>(`${capitalize(name)}Payload`, `The answer of \`${name}\`.`).with({
      [field]: (t) => t.expose("changed", typed(type, description)),
    }),
    toPayload: (changed) => ({ changed }),
  });
}

/** The mutation returns an id, because the object is removed. */
export function showsId(description: string): Answer<string, { id: string }> {
  return (name) => ({
    type: objectType<{ id: string }>(`${capitalize(name)}Payload`, `The answer of \`${name}\`.`).with({
      id: typed("ID", description),
    }),
    toPayload: (id) => ({ id }),
  });
}

/** The mutation returns what a payload type of its own shows, as a table of its fields. */
export function payload<Payload>(description?: string) {
  return {
    with<const Table extends FieldTable<Payload>>(table: Table & Fitting<Payload, Table>): Answer<Payload, Payload> {
      return (name) => {
        const type = objectType<Payload>(`${capitalize(name)}Payload`, description ?? `The answer of \`${name}\`.`);
        // Checked already, by its own type.
        return { type: type.with(table as never), toPayload: (answer) => answer };
      };
    },
  };
}
