/** A GraphQL document for every root field, made from the schema, with dummies for required arguments. */
import {
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from "graphql";

import { schema } from "../../src/graphql/schema.ts";

type RootField = GraphQLField<unknown, unknown>;

interface RootFieldDocument {
  /** Such as `Query.assets`. */
  name: string;
  field: RootField;
  takesId: boolean;
  /** Asks for the field and the levels below it. @param id for every argument that is an id, required or not */
  write(id: string): string;
}

export function listRootFieldDocuments(): RootFieldDocument[] {
  return [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}).map((field: RootField) => ({
      name: `${type?.name}.${field.name}`,
      field,
      takesId: field.args.some(isId),
      write: (id) => `${type?.name.toLowerCase()} { ${writeField(field, id)} }`,
    })),
  );
}

function writeField(field: RootField, id: string): string {
  const given = field.args.filter((arg) => isId(arg) || isRequiredArgument(arg));
  const args = given.map(({ name, type }) => `${name}: ${dummyOf(type, id)}`);
  return `${field.name}${args.length > 0 ? `(${args.join(", ")})` : ""}${writeSelection(field.type, SELECTED_LEVELS)}`;
}

/** A connection, its nodes, and their fields. */
const SELECTED_LEVELS = 3;

function writeSelection(type: GraphQLOutputType, levels: number): string {
  const named = getNamedType(type);
  if (!isObjectType(named) && !isInterfaceType(named)) return "";
  const fields = Object.values(named.getFields())
    .filter((field) => !field.args.some(isRequiredArgument))
    .filter((field) => levels > 1 || isLeafType(getNamedType(field.type)))
    .map((field) => `${field.name}${writeSelection(field.type, levels - 1)}`);
  return ` { ${["__typename", ...fields].join(" ")} }`;
}

/** Whether the type is an id, or an input object that contains one. */
function isId({ type }: Pick<GraphQLArgument, "type">): boolean {
  const named = getNamedType(type);
  return isInputObjectType(named) ? Object.values(named.getFields()).some(isId) : named.name === "ID";
}

function dummyOf(type: GraphQLInputType, id: string): string {
  const bare = getNullableType(type);
  if (isListType(bare)) return `[${dummyOf(bare.ofType, id)}]`;
  if (isEnumType(bare)) return bare.getValues()[0]?.name ?? "";
  if (isInputObjectType(bare)) {
    const given = Object.values(bare.getFields()).filter((field) => isId(field) || isRequiredInputField(field));
    const fields = given.map((field) => `${field.name}: ${dummyOf(field.type, id)}`);
    return `{ ${fields.join(", ")} }`;
  }
  const dummies: Record<string, string> = {
    ID: JSON.stringify(id),
    String: '"dummy"',
    EmailAddress: '"dummy@example.com"',
    Int: "7",
    Boolean: "false",
    JSONObject: "{}",
    DateTime: '"2026-01-01T00:00:00Z"',
  };
  const dummy = dummies[bare.name];
  if (dummy === undefined) throw new Error(`the tests have no dummy for ${bare.name}`);
  return dummy;
}
