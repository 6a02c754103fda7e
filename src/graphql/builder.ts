/** The schema builder, the scalars, and the rule that every root field names the permission that it needs. */
import SchemaBuilder, {
  type EnumRef,
  type FieldMap,
  type FieldNullability,
  type FieldOptionsFromKind,
  type InputFieldMap,
  type ObjectRef,
  type TypeParam,
} from "@pothos/core";
import ComplexityPlugin from "@pothos/plugin-complexity";
import DataloaderPlugin from "@pothos/plugin-dataloader";
import {
  DateTimeResolver,
  EmailAddressResolver,
  JSONObjectResolver,
  NonNegativeIntResolver,
  URLResolver,
} from "graphql-scalars";

import type { Requirement } from "../auth/permissions.ts";
import type { GraphqlContext } from "./context.ts";
import type { UploadedFile } from "./uploaded-file.ts";

interface SchemaTypes {
  Context: GraphqlContext;
  DefaultFieldNullability: false;
  Scalars: {
    DateTime: { Input: Date; Output: Date | string };
    EmailAddress: { Input: string; Output: string };
    ID: { Input: string; Output: string };
    JSONObject: { Input: Record<string, unknown>; Output: Record<string, unknown> };
    NonNegativeInt: { Input: number; Output: number };
    URL: { Input: URL; Output: string };
    Upload: { Input: UploadedFile; Output: never };
  };
}

export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [ComplexityPlugin, DataloaderPlugin],
  defaultFieldNullability: false,
  // The cost is calculated before execution (see limits.ts), so root fields need not calculate it again.
  complexity: { disabled: true, defaultComplexity: 1, defaultListMultiplier: 1 },
});

export type GraphqlTypes = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Types> ? Types : never;

builder.addScalarType("DateTime", DateTimeResolver);
builder.addScalarType("EmailAddress", EmailAddressResolver);
builder.addScalarType("JSONObject", JSONObjectResolver);
builder.addScalarType("NonNegativeInt", NonNegativeIntResolver);
builder.addScalarType("URL", URLResolver);

builder.queryType({ description: "Everything that can be read. All of it belongs to the token's workspace." });
builder.subscriptionType({ description: "Everything whose changes can be followed." });
builder.mutationType({ description: "Everything that can be changed or started." });

/** Names the permission that a root field needs. `authorize.ts` refuses a schema with a root field that names none. */
export function requires(requirement: Requirement): { requires: Requirement } {
  return { requires: requirement };
}

/** Declares a root field that reads, and the permission that it needs. */
export function queryField<
  Type extends TypeParam<GraphqlTypes>,
  Resolved,
  Answer,
  Nullable extends FieldNullability<Type> = false,
  Args extends InputFieldMap = {},
>(
  name: string,
  requirement: Requirement,
  options: FieldOptionsFromKind<GraphqlTypes, GraphqlTypes["Root"], Type, Nullable, Args, "Query", Resolved, Answer>,
): void {
  builder.queryField(name, (t) => t.field({ ...options, extensions: requires(requirement) }));
}

/** Declares an enum whose values are words of the service, each with its description. */
export function wordsType<Word extends string>(
  name: string,
  description: string,
  words: Readonly<Record<Word, string>>,
): EnumRef<GraphqlTypes, Word> {
  const values = Object.entries<string>(words).map(([word, meaning]) => [word, { description: meaning }]);
  // Pothos knows the keys of an object only by its type.
  return builder.enumType(name, { description, values: Object.fromEntries(values) }) as EnumRef<GraphqlTypes, Word>;
}

/** The options of a field that has a type and a description, and is never null. */
export function typed<Type extends TypeParam<GraphqlTypes>>(type: Type, description: string) {
  return { type, description };
}

/** The same for a field that may be null. */
export function typedOrNull<Type extends TypeParam<GraphqlTypes>>(type: Type, description: string) {
  return { type, description, nullable: true } as const;
}

/** A text that is empty in rows, and null in answers, if there is none. */
export function textOrNull<Name extends string>(name: Name) {
  return { nullable: true, resolve: (row: Readonly<Record<Name, string>>) => row[name] || null } as const;
}

/** Declares an object type that shows rows of one shape. */
export function objectType<Row>(
  name: string,
  description: string,
  fields: (t: PothosSchemaTypes.ObjectFieldBuilder<GraphqlTypes, Row>) => FieldMap,
): ObjectRef<GraphqlTypes, Row> {
  return builder.objectRef<Row>(name).implement({ description, fields });
}
