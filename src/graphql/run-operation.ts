/** Runs the documents of schema/operations, for the REST routes, and of schema/tools. */
import {
  type DocumentNode,
  getOperationAST,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  validate,
} from "graphql";

import { AppError } from "../errors.ts";
import { compileOperation, type CompiledOperation } from "./compile.ts";
import type { Services } from "../services.ts";
import { createContext, type RunOperation } from "./context.ts";
import { codeOf, findAppError, toPublicError } from "./errors.ts";
import { loadOperations } from "./operations.ts";
import { runToEnd } from "./run-to-end.ts";
import { findVariableFault } from "./variables.ts";

export interface OperationRunner {
  run: RunOperation;
}

function toAppError(error: unknown, services: Services, requestId: string): AppError {
  const known = findAppError(error);
  if (known !== null) return known;
  const shown = toPublicError(error, (err) => services.log.error({ err, requestId }, "unexpected error"));
  return new AppError(codeOf(shown), shown.message);
}

/**
 * Validates and compiles every document once.
 * @throws Error at start, if a document does not fit the schema
 */
export function createOperationRunner(
  schema: GraphQLSchema,
  services: Services,
  operations: ReadonlyMap<string, DocumentNode> = loadOperations(),
): OperationRunner {
  const compiled = new Map<string, { operation: CompiledOperation; definition: OperationDefinitionNode }>();
  for (const [name, document] of operations) {
    const faults = validate(schema, document);
    if (faults.length > 0) throw new Error(`operation ${name}: ${faults.map(String).join("\n")}`);
    const operation = compileOperation(schema, document, null);
    if ("failure" in operation) throw new Error(`operation ${name}: ${operation.failure.errors}`);
    const definition = getOperationAST(document);
    if (definition === null || definition === undefined) throw new Error(`${name} is not one operation`);
    compiled.set(name, { operation: operation.run, definition });
  }

  /** graphql-jit passes on what a scalar throws for a variable as if it were an error of our own. */
  function findScalarFault(
    definition: OperationDefinitionNode,
    { path, originalError }: GraphQLError,
    variables: Readonly<Record<string, unknown>>,
  ): GraphQLError | null {
    return path === undefined && originalError != null ? findVariableFault(schema, definition, variables) : null;
  }

  const run: RunOperation = (name, variables, scope) =>
    services.observe({ kind: "graphql", name }, () => runOne(name, variables, scope));
  const runOne: RunOperation = async (name, variables, scope) => {
    const found = compiled.get(name);
    if (found === undefined) throw new Error(`there is no operation ${name} in schema/operations or schema/tools`);
    const context = createContext(services, scope, run);
    const { data, errors } = await runToEnd(found.operation, context, variables);
    const [first] = errors ?? [];
    if (first !== undefined) {
      throw toAppError(findScalarFault(found.definition, first, variables) ?? first, services, scope.requestId);
    }
    return data as Record<string, unknown>;
  };
  return { run };
}
