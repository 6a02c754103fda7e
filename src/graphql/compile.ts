/** Compiles documents to JavaScript by graphql-jit, which the façade and `/graphql` both execute. */
import type { DocumentNode, ExecutionResult, GraphQLSchema } from "graphql";
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
  return { run: (context, variables) => compiled.query(undefined, context, variables) };
}
