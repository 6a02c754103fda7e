/** Compiles documents to JavaScript with graphql-jit, for the REST API and for `/graphql`. */
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

/** At most this many fields are compiled, which takes about 50 ms. Seven levels of neighbours would be 800 fields. */
const MAX_COMPILED_FIELDS = 500;
const COMPILED_FIELD_BYTES = 1_500;

/** Runs one operation. */
export type CompiledOperation = (
  context: unknown,
  variables: Readonly<Record<string, unknown>>,
) => Promise<ExecutionResult> | ExecutionResult;

/**
 * Whether a document uses @skip or @include. graphql-jit gets these wrong in two cases: if a fragment is spread twice, once
 * under a condition, its fields go missing; and if a condition is null.
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
 * Whether a variable of the operation has the name of a property that every object inherits, such as `constructor`. If
 * such a variable is not given, graphql-jit takes the inherited property for its value.
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

/** The defaults of variables that may not be null, such as `$first: Int! = 20`. graphql-jit ignores these. */
function defaultsOfRequired(operation: OperationDefinitionNode | null | undefined): Record<string, unknown> {
  const defaults = (operation?.variableDefinitions ?? []).flatMap(({ variable, type, defaultValue }) =>
    type.kind === Kind.NON_NULL_TYPE && defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
  );
  return Object.fromEntries(defaults);
}

/**
 * Prepares an operation. It is compiled, unless it has too many fields, because compiling holds up all requests, or the
 * compiler would get it wrong.
 * @returns a function that runs it, and about how many bytes of memory its code takes
 */
export function prepareOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
): { run: CompiledOperation; bytes: number } {
  const interpreted = { run: interpret({ schema, document, operationName }), bytes: 0 };
  const operation = getOperationAST(document, operationName);
  // If there is no such operation, graphql-js answers with the reason.
  if (!operation || hasConditions(document) || hasInheritedNames(operation)) return interpreted;
  const fields = countCompiledFields(schema, document, operation);
  if (fields > MAX_COMPILED_FIELDS) return interpreted;
  const made = compileOperation(schema, document, operationName);
  return "failure" in made ? interpreted : { run: made.run, bytes: fields * COMPILED_FIELD_BYTES };
}

/** Runs an operation with graphql-js, which compiles nothing. */
function interpret(args: Pick<ExecutionArgs, "schema" | "document" | "operationName">): CompiledOperation {
  return (contextValue, variableValues) => execute({ ...args, contextValue, variableValues });
}
