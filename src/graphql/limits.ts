/** Refuses operations that would cost too much, before anything runs. */
import { complexityFromQuery } from "@pothos/plugin-complexity";
import {
  type DocumentNode,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from "graphql";

import { refuse } from "./refusal.ts";
import { findVariableFault } from "./variables.ts";

/** How deep fields may be nested. Ten hops of nested neighbours need 22 levels. */
const MAX_DEPTH = 30;
/** How many fields the answer may have. Three hops of twenty neighbours with names and owners are 27,000 fields. */
const MAX_COST = 200_000;

/** The chosen operation with the fragments, without other operations, whose cost does not count. */
function withFragments(operation: OperationDefinitionNode, document: DocumentNode): DocumentNode {
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] };
}

function tooCostly(what: string, is: number, limit: number, advice: string): GraphQLError {
  return refuse(`The query's ${what} is ${is}; at most ${limit} is allowed. ${advice}`);
}

/**
 * Checks the variables, then the depth and the cost. At each level of nesting, the cost is multiplied by the page size.
 * @returns the reason to refuse the operation; null if there is none
 */
export function checkCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: Record<string, unknown>,
): GraphQLError | null {
  // An empty name counts as no name.
  const operation = getOperationAST(document, operationName || null);
  if (!operation)
    return refuse(operationName ? "No operation has this name." : "`operationName` must say which operation to run.");
  const fault = findVariableFault(schema, operation, variables);
  if (fault !== null) return fault;
  let cost: ReturnType<typeof complexityFromQuery>;
  try {
    cost = complexityFromQuery(withFragments(operation, document), { schema, variables });
  } catch (error) {
    // An argument is invalid. Execution would fail only that field and run all others.
    if (error instanceof GraphQLError) return refuse(error.message, error.nodes);
    throw error;
  }
  if (cost.depth > MAX_DEPTH) return tooCostly("depth", cost.depth, MAX_DEPTH, "Use `lineage` to walk far.");
  if (cost.complexity > MAX_COST) {
    return tooCostly("cost", cost.complexity, MAX_COST, "Ask for fewer items with `first`, or use `lineage`.");
  }
  return null;
}
