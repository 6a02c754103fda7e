/** What a route and its operation must agree on. */
import { type DocumentNode, type FieldNode, getOperationAST, Kind, type OperationDefinitionNode } from "graphql";

import type { Route } from "./route.ts";

/**
 * The operation that a route names.
 * @throws Error when there is none, or when its variables are not the route's inputs
 */
export function getOperation(route: Route, operations: ReadonlyMap<string, DocumentNode>): OperationDefinitionNode {
  const document = operations.get(route.operation);
  const operation = document && getOperationAST(document, route.operation);
  if (!operation) throw new Error(`${route.path} names the operation ${route.operation}, which is not there.`);
  const inputs = Object.values(route.input)
    .flatMap((shape) => Object.keys(shape))
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

/** @throws Error when the operation does not consist of one root field */
export function getRootField({ name, selectionSet: { selections } }: OperationDefinitionNode): FieldNode {
  const [root, ...others] = selections;
  if (root?.kind !== Kind.FIELD || others.length > 0) throw new Error(`${name?.value} must have one root field.`);
  return root;
}
