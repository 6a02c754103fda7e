/** The schema builder, the scalars, and the rule that every root field names the permission that it needs. */
import SchemaBuilder, {
  type EnumRef,
  type FieldMap,
  type FieldNullability,
  type FieldOptionsFromKind,
  type FieldRef,
  type ImplementableObjectRef,
  type InputFieldMap,
  type InterfaceParam,
  type ObjectRef,
  type OutputType,
  type ShapeFromTypeParam,
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

/** The options of a list. `length` is how long a query's cost takes it to be. */
export function listOf<Type extends OutputType<GraphqlTypes>>(type: Type, description: string, length: number) {
  return { type: [type] as [Type], description, complexity: { field: 1, multiplier: length } };
}

/** The options of a field that shows a text: "" in rows is null in answers. */
export function emptyAsNull(description: string) {
  return { type: "String", description, nullable: true, isEmptyNull: true } as const;
}

/** A text that is empty in rows, and null in answers, if there is none. */
export function textOrNull<Name extends string>(name: Name) {
  return { nullable: true, resolve: (row: Readonly<Record<Name, string>>) => row[name] || null } as const;
}

/** A field of an object type. Without `resolve`, it shows the property of its own name. */
interface Field<Row> {
  type: TypeParam<GraphqlTypes>;
  description: string;
  nullable?: true;
  /** Whether "" in rows is null in answers. */
  isEmptyNull?: true;
  complexity?: number | { field: number; multiplier: number };
  resolve?: (row: Row, args: object, context: GraphqlContext) => unknown;
}

type FieldBuilder<Row> = PothosSchemaTypes.ObjectFieldBuilder<GraphqlTypes, Row>;

/** The fields of an object type by name. A field with arguments of its own is made by a function. */
export type FieldTable<Row> = Readonly<Record<string, Field<Row> | ((t: FieldBuilder<Row>) => FieldRef<GraphqlTypes>)>>;

/** Refuses a field that shows, or resolves to, what its type does not have. */
export type Fitting<Row, Table> = {
  [Name in keyof Table]: Table[Name] extends { type: infer Type extends TypeParam<GraphqlTypes> }
    ? Shown<Row, Name, Table[Name]> extends ShapeFromTypeParam<GraphqlTypes, Type, IsNullable<Table[Name]>>
      ? unknown
      : { shows: Shown<Row, Name, Table[Name]> }
    : unknown;
};

type Shown<Row, Name, Options> = Options extends { resolve: (...args: never) => infer Answer }
  ? Awaited<Answer>
  : Name extends keyof Row
    ? Row[Name]
    : unknown;

type IsNullable<Options> = Options extends { nullable: true } ? true : false;

/**
 * Declares an object type that shows rows of one shape, as a table of its fields.
 * @param type its name, or the type if that is known elsewhere
 */
export function objectType<Row>(
  type: string | ImplementableObjectRef<GraphqlTypes, unknown, Row>,
  description: string,
  options: { interfaces?: InterfaceParam<GraphqlTypes>[]; isTypeOf?: (value: unknown) => boolean } = {},
) {
  const ref: ImplementableObjectRef<GraphqlTypes, unknown, Row> =
    typeof type === "string" ? builder.objectRef<Row>(type) : type;
  return {
    with<const Table extends FieldTable<Row>>(table: Table & Fitting<Row, Table>): ObjectRef<GraphqlTypes, Row> {
      const fields = (t: FieldBuilder<Row>): FieldMap =>
        Object.fromEntries(
          Object.entries<FieldTable<Row>[string]>(table).map(([name, field]) => [name, toField(t, name, field)]),
        );
      // Pothos checks the interfaces of a type only if it knows its rows.
      ref.implement({ description, ...(options as object), fields });
      return ref as ObjectRef<GraphqlTypes, Row>;
    },
  };
}

function toField<Row>(t: FieldBuilder<Row>, name: string, field: FieldTable<Row>[string]): FieldRef<GraphqlTypes> {
  if (typeof field === "function") return field(t);
  const { isEmptyNull = false, ...options } = field;
  // `Fitting` has checked the property.
  if (isEmptyNull) return t.field({ ...options, resolve: (row: Row) => row[name as keyof Row] || null } as never);
  return options.resolve === undefined ? t.expose(name as never, options as never) : t.field(options as never);
}
