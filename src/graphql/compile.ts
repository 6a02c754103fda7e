/** Compiles documents to JavaScript by graphql-jit, which the façade and `/graphql` both execute. */
import {
  type DocumentNode,
  type ExecutionResult,
  getOperationAST,
  type GraphQLSchema,
  valueFromASTUntyped,
} from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";

/** Runs one operation: `query(root, context, variables)`. */
export type CompiledOperation = (
  context: unknown,
  variables: Readonly<Record<string, unknown>>,
) => Promise<ExecutionResult> | ExecutionResult;

/** The compiled operation, or the result that says why there is none (such as an unknown operation name). */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
): { run: CompiledOperation } | { failure: ExecutionResult } {
  const compiled = compileQuery(schema, document, operationName ?? undefined);
  if (!isCompiledQuery(compiled)) return { failure: compiled };
  const defaults = defaultsOf(document, operationName);
  return { run: (context, variables) => compiled.query(undefined, context, { ...defaults, ...variables }) };
}

/** What stands for absent variables. graphql-jit forgets it where their type is non-null, as in `$first: Int! = 50`. */
function defaultsOf(document: DocumentNode, operationName: string | null | undefined): Record<string, unknown> {
  const variables = getOperationAST(document, operationName || null)?.variableDefinitions ?? [];
  return Object.fromEntries(
    variables.flatMap(({ variable, defaultValue }) =>
      defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)]],
    ),
  );
}
