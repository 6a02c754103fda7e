/** Checks that a route and its GraphQL operation fit together. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getOperationAST,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
} from "graphql";

import type { Requirement } from "../auth/permissions.ts";
import { requirementOf } from "../graphql/authorize.ts";
import type { Route } from "./route.ts";

/** The schema and the documents of the routes. */
export interface OperationSources {
  schema: GraphQLSchema;
  /** The routes' documents, by name. See `loadOperations`. */
  operations: ReadonlyMap<string, DocumentNode>;
}

/**
 * Returns the operation of a route.
 * @throws Error if it does not exist, or its variables are not the route's inputs
 */
export function getOperation(route: Route, operations: ReadonlyMap<string, DocumentNode>): OperationDefinitionNode {
  const document = operations.get(route.operation);
  const operation = document && getOperationAST(document, route.operation);
  if (!operation) throw new Error(`${route.path} names the operation ${route.operation}, which does not exist.`);
  const { upload, ...shapes } = route.input;
  const inputs = Object.values(shapes)
    .flatMap((shape) => Object.keys(shape))
    .filter((name) => name !== route.reworded?.input)
    .concat(upload?.name ?? [])
    .toSorted()
    .join(", ");
  const variables = (operation.variableDefinitions ?? [])
    .map((it) => it.variable.name.value)
    .toSorted()
    .join(", ");
  if (inputs !== variables)
    throw new Error(`${route.operation} takes (${variables}); ${route.path} gives (${inputs}).`);
  return operation;
}

/** @throws Error if the operation does not have exactly one root field */
export function getRootField({ name, selectionSet: { selections } }: OperationDefinitionNode): FieldNode {
  const [root, ...others] = selections;
  if (root?.kind !== Kind.FIELD || others.length > 0) throw new Error(`${name?.value} must have one root field.`);
  return root;
}

/**
 * The path of fields to the answered object: the root field, and for a mutation the one object of its payload.
 * @throws Error if a mutation's document selects anything else
 */
export function getAnswerFields(operation: OperationDefinitionNode): FieldNode[] {
  const root = getRootField(operation);
  if (operation.operation !== OperationTypeNode.MUTATION) return [root];
  const [object, ...others] = root.selectionSet?.selections ?? [];
  if (object?.kind !== Kind.FIELD || others.length > 0) {
    throw new Error(`${operation.name?.value} must select one object of its payload.`);
  }
  return [root, object];
}

/** The fragments of a document by their names. */
export function fragmentsOf({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = definitions.filter((it): it is FragmentDefinitionNode => it.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((it) => [it.name.value, it]));
}

/** The fields that are selected, also by way of fragments. */
export function listFields(
  selections: readonly SelectionNode[],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
    return listFields(fragment?.selectionSet.selections ?? [], fragments);
  });
}

/** @throws Error when the type has no such field */
export function getField(parent: GraphQLNamedType, { name }: FieldNode): GraphQLField<unknown, unknown> {
  const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name.value] : undefined;
  if (field === undefined) throw new Error(`${parent.name} has no field ${name.value}.`);
  return field;
}

/**
 * The requirement of a route. It is that of its operation's root field.
 * @throws Error if the schema has no such field
 */
export function getRequirement(route: Route, { schema, operations }: OperationSources): Requirement {
  const operation = getOperation(route, operations);
  const name = getRootField(operation).name.value;
  const field = schema.getRootType(operation.operation)?.getFields()[name];
  if (field === undefined)
    throw new Error(`${operation.name?.value} asks for ${name}, which the schema does not have.`);
  return requirementOf(field);
}
