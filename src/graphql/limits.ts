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

/** Fields within fields; ten hops of nested neighbours take twenty-two. */
const MAX_DEPTH = 30;
/** Fields of all nodes that the answer may come to: three hops of twenty neighbours with names and owners are 27,000. */
const MAX_COST = 200_000;

/** The chosen operation and its fragments alone: a costly one cannot hide behind a cheap one. */
function withFragments(operation: OperationDefinitionNode, document: DocumentNode): DocumentNode {
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] };
}

function tooCostly(what: string, is: number, limit: number, advice: string): GraphQLError {
  return refuse(`The query's ${what} is ${is}; at most ${limit} is allowed. ${advice}`);
}

/**
 * Checks the variables, then depth and cost. The cost multiplies down the nesting by the page sizes asked for.
 * @returns the reason to refuse, or null
 */
export function checkCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: Record<string, unknown>,
): GraphQLError | null {
  // An empty name counts as none, as it does for graphql-jit.
  const operation = getOperationAST(document, operationName || null);
  if (!operation) return null;
  const fault = findVariableFault(schema, operation, variables);
  if (fault !== null) return fault;
  let cost: ReturnType<typeof complexityFromQuery>;
  try {
    cost = complexityFromQuery(withFragments(operation, document), { schema, variables });
  } catch (error) {
    // An argument that does not fit. Execution would fail that field alone, and run all others.
    if (error instanceof GraphQLError) return refuse(error.message, error.nodes);
    throw error;
  }
  if (cost.depth > MAX_DEPTH) return tooCostly("depth", cost.depth, MAX_DEPTH, "Use `lineage` to walk far.");
  if (cost.complexity > MAX_COST) {
    return tooCostly("cost", cost.complexity, MAX_COST, "Ask for fewer items with `first`, or use `lineage`.");
  }
  return null;
}
