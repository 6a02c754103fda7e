/**
 * Builds the JSON Schema of an operation's answer from its selections, with types and descriptions of the GraphQL
 * schema.
 */
import {
  type DocumentNode,
  type FieldNode,
  getNamedType,
  getNullableType,
  type GraphQLLeafType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";

import { ASSET_TYPES } from "../../catalog/node-types.ts";
import { EMPTY_IF_UNKNOWN } from "../absent-values.ts";
import { fragmentsOf, getAnswerFields, getField, listFields } from "../operation.ts";
import type { JsonSchema } from "./types.ts";

/** JSON Schemas by fragment name. */
export type Components = Record<string, JsonSchema>;

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  Boolean: { type: "boolean" },
  DateTime: { type: "string", format: "date-time" },
  // Without a format: "" stands for an unknown one.
  EmailAddress: { type: "string" },
  Float: { type: "number" },
  ID: { type: "string" },
  Int: { type: "integer" },
  JSONObject: { type: "object" },
  NonNegativeInt: { type: "integer", minimum: 0 },
  String: { type: "string" },
};

/** Fields of types that use fewer values of an enum than the same field of their interface. */
const NARROWED: Readonly<Record<string, readonly string[]>> = {
  "Asset.type": ASSET_TYPES,
  "Metric.certification": ["certified", "pending"],
};

/**
 * Returns the schema of an operation's body. A selection that is a single fragment becomes a component with the
 * fragment's name, which is added to `components`.
 * @param document the operation and its fragments
 */
export function toAnswerSchema(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  components: Components,
): JsonSchema {
  const rootType = schema.getRootType(operation.operation);
  if (!rootType) throw new Error(`The schema has no ${operation.operation}.`);
  const fragments = fragmentsOf(document);
  const answered = { type: rootType as GraphQLOutputType, selectionSet: operation.selectionSet };
  for (const node of getAnswerFields(operation)) {
    answered.type = getField(getNamedType(answered.type), node).type;
    if (node.selectionSet) answered.selectionSet = node.selectionSet;
  }
  // If the root field is null, the answer is an error. The route has its own description.
  return ofNonNull(getNullableType(answered.type), answered.selectionSet);

  function ofField(parent: GraphQLNamedType, node: FieldNode): JsonSchema {
    const field = getField(parent, node);
    const coordinate = `${parent.name}.${node.name.value}`;
    const narrowed = NARROWED[coordinate];
    const isEmptyIfUnknown = EMPTY_IF_UNKNOWN.has(coordinate);
    const type = isEmptyIfUnknown ? getNullableType(field.type) : field.type;
    const body = isEmptyIfUnknown ? ofNonNull(type, node.selectionSet) : ofType(type, node.selectionSet);
    const described = { ...body, ...(narrowed && { enum: narrowed }) };
    const words = isEmptyIfUnknown ? field.description?.replace(/\bnull\b/i, '""') : field.description;
    return words ? { ...described, description: words } : described;
  }

  function ofType(type: GraphQLOutputType, selections: SelectionSetNode | undefined): JsonSchema {
    if (isNonNullType(type)) return ofNonNull(type.ofType, selections);
    return orNull(ofNonNull(type, selections));
  }

  function ofNonNull(type: GraphQLOutputType, selections: SelectionSetNode | undefined): JsonSchema {
    if (isListType(type)) return { type: "array", items: ofType(type.ofType, selections) };
    if (isLeafType(type)) return ofLeaf(type);
    if (selections === undefined) throw new Error(`Nothing of ${String(type)} is selected.`);
    return ofSelections(getNamedType(type), selections);
  }

  function ofSelections(type: GraphQLNamedType, { selections }: SelectionSetNode): JsonSchema {
    const [first, ...others] = selections;
    if (first?.kind !== Kind.FRAGMENT_SPREAD || others.length > 0) return ofProperties(type, selections);
    const name = first.name.value;
    components[name] ??= { description: type.description ?? "", ...ofProperties(type, selections) };
    return { $ref: `#/components/schemas/${name}` };
  }

  function ofProperties(type: GraphQLNamedType, selections: SelectionSetNode["selections"]): JsonSchema {
    const properties = Object.fromEntries(
      listFields(selections, fragments).map((node) => [node.alias?.value ?? node.name.value, ofField(type, node)]),
    );
    return { type: "object", properties, required: Object.keys(properties) };
  }
}

function ofLeaf(type: GraphQLLeafType): JsonSchema {
  if (isEnumType(type)) return { type: "string", enum: type.getValues().map((value) => value.name) };
  const scalar = SCALARS[type.name];
  if (scalar === undefined) throw new Error(`The scalar ${type.name} has no JSON Schema yet.`);
  return scalar;
}

function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === "string" && schema.enum === undefined) return { ...schema, type: [schema.type, "null"] };
  return { anyOf: [schema, { type: "null" }] };
}
