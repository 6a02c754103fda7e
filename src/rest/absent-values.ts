/** What REST answers for a value that nobody knows: GraphQL says null, and the specification wants "" for some fields. */
import {
  type DocumentNode,
  getNamedType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";

import { fragmentsOf, getAnswerFields, getField, listFields } from "./operation.ts";

/** Fields of the GraphQL schema that are null if unknown there, and "" in every REST answer. */
export const EMPTY_IF_UNKNOWN: ReadonlySet<string> = new Set([
  "AffectedNode.owner",
  "Asset.dataType",
  "Asset.description",
  "Asset.owner",
  "Asset.sourceConnector",
  "CertificationEvent.note",
  "Evidence.expression",
  "Evidence.transformation",
  "Metric.owner",
  "MetricDefinition.grain",
  "SyncError.object",
]);

/** The keys of one object of an answer that are "" if unknown, and those under which such objects lie. */
interface Shape {
  keys: string[];
  inner: [key: string, shape: Shape][];
}

/**
 * Prepares what is done with each answer of an operation: it writes "" for null, in place, into the fields of
 * `EMPTY_IF_UNKNOWN`.
 * @param document the operation and its fragments
 */
export function createEmptyTexts(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): (answer: unknown) => void {
  const fragments = fragmentsOf(document);
  const rootType = schema.getRootType(operation.operation);
  if (!rootType) throw new Error(`The schema has no ${operation.operation}.`);
  const answered = { type: rootType as GraphQLOutputType, selectionSet: operation.selectionSet };
  for (const node of getAnswerFields(operation)) {
    answered.type = getField(getNamedType(answered.type), node).type;
    if (node.selectionSet) answered.selectionSet = node.selectionSet;
  }
  const shape = toShape(getNamedType(answered.type), answered.selectionSet);
  return shape === null ? () => {} : (answer) => write(answer, shape);

  /** Null if nothing is to be written there. */
  function toShape(type: GraphQLNamedType, { selections }: SelectionSetNode): Shape | null {
    const made: Shape = { keys: [], inner: [] };
    for (const node of listFields(selections, fragments)) {
      const key = (node.alias ?? node.name).value;
      if (EMPTY_IF_UNKNOWN.has(`${type.name}.${node.name.value}`)) made.keys.push(key);
      if (node.selectionSet === undefined) continue;
      const inner = toShape(getNamedType(getField(type, node).type), node.selectionSet);
      if (inner !== null) made.inner.push([key, inner]);
    }
    return made.keys.length + made.inner.length === 0 ? null : made;
  }
}

function write(value: unknown, shape: Shape): void {
  if (Array.isArray(value)) {
    for (const item of value) write(item, shape);
  } else if (typeof value === "object" && value !== null) {
    const members = value as Record<string, unknown>;
    for (const key of shape.keys) members[key] ??= "";
    for (const [key, inner] of shape.inner) write(members[key], inner);
  }
}
