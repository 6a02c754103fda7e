/** Compiles documents to JavaScript by graphql-jit, which the façade and `/graphql` both execute. */
import {
  BREAK,
  type DocumentNode,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  valueFromASTUntyped,
  visit,
} from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";

import { countCompiledFields } from "./compiled-size.ts";

/** Fields of code of one operation: some 50 ms to compile. Seven levels of neighbours come to 800. */
const MAX_COMPILED_FIELDS = 500;
const COMPILED_FIELD_BYTES = 1_500;

/** Runs one operation. */
export type CompiledOperation = (
  context: unknown,
  variables: Readonly<Record<string, unknown>>,
) => Promise<ExecutionResult> | ExecutionResult;

/**
 * Whether a document leaves anything out by @skip or @include. graphql-jit gets these wrong where one fragment is spread
 * twice, once under a condition (its fields go missing), and where a condition is null.
 */
function hasConditions(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Directive: ({ name }) => {
      found ||= name.value === "skip" || name.value === "include";
      return found ? BREAK : undefined;
    },
  });
  return found;
}

/**
 * Whether an operation has a variable that is named as what every object inherits, such as `constructor`. graphql-jit
 * takes what is inherited for its value where none is given.
 */
function hasInheritedNames({ variableDefinitions = [] }: OperationDefinitionNode): boolean {
  return variableDefinitions.some(({ variable }) => variable.name.value in Object.prototype);
}

/** The compiled operation, or the result that says why there is none (such as an unknown operation name). */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
): { run: CompiledOperation } | { failure: ExecutionResult } {
  const compiled = compileQuery(schema, document, operationName ?? undefined);
  if (!isCompiledQuery(compiled)) return { failure: compiled };
  const defaults = defaultsOfRequired(getOperationAST(document, operationName));
  return { run: (context, variables) => compiled.query(undefined, context, { ...defaults, ...variables }) };
}

/** The defaults of variables that may not be null, such as `$first: Int! = 20`: graphql-jit overlooks them. */
function defaultsOfRequired(operation: OperationDefinitionNode | null | undefined): Record<string, unknown> {
  const defaults = (operation?.variableDefinitions ?? []).flatMap(({ variable, type, defaultValue }) =>
    type.kind === Kind.NON_NULL_TYPE && defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
  );
  return Object.fromEntries(defaults);
}

/**
 * What runs an operation: compiled, unless that would come to too much code, since compiling holds up everybody, or it
 * holds what the compiler gets wrong.
 * @returns it, and about how much memory its code takes
 */
export function prepareOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
): { run: CompiledOperation; bytes: number } {
  const interpreted = { run: interpret({ schema, document, operationName }), bytes: 0 };
  const operation = getOperationAST(document, operationName);
  // Why there is no such operation, graphql-js explains.
  if (!operation || hasConditions(document) || hasInheritedNames(operation)) return interpreted;
  const fields = countCompiledFields(schema, document, operation);
  if (fields > MAX_COMPILED_FIELDS) return interpreted;
  const made = compileOperation(schema, document, operationName);
  return "failure" in made ? interpreted : { run: made.run, bytes: fields * COMPILED_FIELD_BYTES };
}

/** Runs an operation field by field, by graphql-js. */
function interpret(args: Pick<ExecutionArgs, "schema" | "document" | "operationName">): CompiledOperation {
  return (contextValue, variableValues) => execute({ ...args, contextValue, variableValues });
}
