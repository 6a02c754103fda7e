/** Runs the documents of schema/operations, for the REST routes, and of schema/tools. */
import { type DocumentNode, type GraphQLSchema, validate } from "graphql";

import { AppError } from "../errors.ts";
import { compileOperation, type CompiledOperation } from "./compile.ts";
import type { Services } from "../services.ts";
import { createContext, type RunOperation } from "./context.ts";
import { codeOf, findAppError, toPublicError } from "./errors.ts";
import { loadOperations } from "./operations.ts";
import { runToEnd } from "./run-to-end.ts";

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
  const compiled = new Map<string, CompiledOperation>();
  for (const [name, document] of operations) {
    const faults = validate(schema, document);
    if (faults.length > 0) throw new Error(`operation ${name}: ${faults.map(String).join("\n")}`);
    const operation = compileOperation(schema, document, null);
    if ("failure" in operation) throw new Error(`operation ${name}: ${operation.failure.errors}`);
    compiled.set(name, operation.run);
  }
  const run: RunOperation = (name, variables, scope) =>
    services.observe({ kind: "graphql", name }, () => runOne(name, variables, scope));
  const runOne: RunOperation = async (name, variables, scope) => {
    const operation = compiled.get(name);
    if (operation === undefined) throw new Error(`there is no operation ${name} in schema/operations or schema/tools`);
    const context = createContext(services, scope, run);
    const { data, errors } = await runToEnd(operation, context, variables);
    const [first] = errors ?? [];
    if (first !== undefined) throw toAppError(first, services, scope.requestId);
    return data as Record<string, unknown>;
  };
  return { run };
}
