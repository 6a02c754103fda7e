/** Refuses documents that would cost too much, before anything runs. */
import { maxAliasesPlugin } from "@escape.tech/graphql-armor-max-aliases";
import { complexityFromQuery } from "@pothos/plugin-complexity";
import {
  type DocumentNode,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  parse,
  type ParseOptions,
  type Source,
} from "graphql";
import type { Plugin } from "graphql-yoga";

import { HTTP_STATUS } from "../errors.ts";

/** Fields within fields; ten hops of nested neighbours take twenty-two. */
const MAX_DEPTH = 30;
const MAX_ALIASES = 30;
const MAX_TOKENS = 2_000;
/** Fields of all nodes that the answer may come to: three hops of twenty neighbours with names and owners are 27,000. */
const MAX_COST = 200_000;

/** The chosen operation and its fragments alone: a costly one cannot hide behind a cheap one. */
function selectOperation(document: DocumentNode, operationName: string | null | undefined): DocumentNode | null {
  // An empty name counts as none, as it does for graphql-jit.
  const operation = getOperationAST(document, operationName || null);
  if (!operation) return null;
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] };
}

function declares({ definitions }: DocumentNode, name: string): boolean {
  return definitions.some(
    (it) =>
      it.kind === Kind.OPERATION_DEFINITION &&
      it.variableDefinitions?.some(({ variable }) => variable.name.value === name),
  );
}

function refuse(message: string, nodes: GraphQLError["nodes"] = undefined): GraphQLError {
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    extensions: { code: "bad_request", http: { status: HTTP_STATUS.bad_request } },
  });
}

function tooCostly(what: string, is: number, limit: number, advice: string): GraphQLError {
  return refuse(`The query's ${what} is ${is}; at most ${limit} is allowed. ${advice}`);
}

/**
 * Checks depth and cost. The cost multiplies down the nesting by the page sizes asked for.
 * @returns the reason to refuse, or null
 */
export function checkCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: Record<string, unknown>,
): GraphQLError | null {
  const selected = selectOperation(document, operationName);
  if (selected === null) return null;
  // graphql-js keeps values in an object that takes this name for its prototype.
  if (declares(selected, "__proto__")) return refuse("No variable can be called __proto__.");
  let cost: ReturnType<typeof complexityFromQuery>;
  try {
    cost = complexityFromQuery(selected, { schema, variables });
  } catch (error) {
    // A variable or an argument that does not fit. Execution would fail that field alone, and run all others.
    if (error instanceof GraphQLError) return refuse(error.message, error.nodes);
    throw error;
  }
  if (cost.depth > MAX_DEPTH) return tooCostly("depth", cost.depth, MAX_DEPTH, "Use `lineage` to walk far.");
  if (cost.complexity > MAX_COST) {
    return tooCostly("cost", cost.complexity, MAX_COST, "Ask for fewer items with `first`, or use `lineage`.");
  }
  return null;
}

/** @throws GraphQLError where it is malformed, or longer than anyone writes */
export function parseDocument(source: string | Source, options?: ParseOptions): DocumentNode {
  return parse(source, { ...options, maxTokens: MAX_TOKENS });
}

/** Limits on the text of a document, as plugins of the GraphQL server. */
export function documentLimits(): Plugin[] {
  return [
    {
      onParse({ setParseFn }) {
        setParseFn(parseDocument);
      },
    },
    maxAliasesPlugin({ n: MAX_ALIASES }),
  ];
}
