/** Compiles the documents of schema/operations (for the REST routes) and schema/tools with graphql-jit, and runs them. */
import {
  type DocumentNode,
  getOperationAST,
  type GraphQLSchema,
  type OperationDefinitionNode,
  validate,
} from "graphql";
import { compileQuery, type CompiledQuery, isCompiledQuery } from "graphql-jit";

import { AppError } from "../errors.ts";
import type { Services } from "../services.ts";
import { readAsOf } from "./as-of.ts";
import { createContext, type RunOperation } from "./context.ts";
import { codeOf, findAppError, toPublicError } from "./errors.ts";
import { loadOperations } from "./operations.ts";
import { runToEnd } from "./run-to-end.ts";
import { fillDefaults, findVariableFault } from "./variables.ts";

export interface OperationRunner {
  run: RunOperation;
}

function toAppError(error: unknown, services: Services, requestId: string): AppError {
  const known = findAppError(error);
  if (known !== null) return known;
  const shown = toPublicError(error, (err) => services.log.error({ err, requestId }, "unexpected error"));
  return new AppError(codeOf(shown), shown.message);
}

interface CompiledOperation {
  document: DocumentNode;
  definition: OperationDefinitionNode;
  run: CompiledQuery["query"];
}

/** Kept for all services of a process, because compiling all documents takes a quarter of a second. */
const compiledBy = new WeakMap<GraphQLSchema, WeakMap<DocumentNode, CompiledOperation>>();

function compileOnce(schema: GraphQLSchema, name: string, document: DocumentNode): CompiledOperation {
  const known = compiledBy.getOrInsertComputed(schema, () => new WeakMap());
  return known.getOrInsertComputed(document, () => compile(schema, name, document));
}

/** @throws Error if the document does not fit the schema, or is not one operation */
function compile(schema: GraphQLSchema, name: string, document: DocumentNode): CompiledOperation {
  const faults = validate(schema, document);
  if (faults.length > 0) throw new Error(`operation ${name}: ${faults.map(String).join("\n")}`);
  const definition = getOperationAST(document);
  if (!definition) throw new Error(`${name} is not one operation`);
  const compiled = compileQuery(schema, document);
  if (!isCompiledQuery(compiled)) throw new Error(`operation ${name}: ${compiled.errors?.map(String).join("\n")}`);
  return { document, definition, run: compiled.query };
}

/**
 * Validates and compiles every document once. Compiled code takes a third of the time that graphql-js takes. Documents of
 * clients are not compiled, because graphql-jit is not exact: it ignores the default of a variable that may not be null,
 * for example, and takes a null condition of `@skip` for a false one.
 * @throws Error at start, if a document does not fit the schema
 */
export function createOperationRunner(
  schema: GraphQLSchema,
  services: Services,
  operations: ReadonlyMap<string, DocumentNode> = loadOperations(),
): OperationRunner {
  const compiled = new Map(operations.entries().map(([name, document]) => [name, compileOnce(schema, name, document)]));

  const run: RunOperation = (name, variables, scope) =>
    services.observe({ kind: "graphql", name }, () => runOne(name, variables, scope));
  const runOne: RunOperation = async (name, variables, scope) => {
    const operation = compiled.get(name);
    if (operation === undefined) throw new Error(`there is no operation ${name} in schema/operations or schema/tools`);
    // graphql-jit would report the fault of a scalar as an unexpected error.
    const fault = findVariableFault(schema, operation.definition, variables);
    if (fault !== null) throw toAppError(fault, services, scope.requestId);
    const context = createContext(services, scope, run);
    const filled = fillDefaults(schema, operation.definition, variables);
    const { data, errors } = await runToEnd(() => {
      readAsOf(context, operation.document, operation.definition, filled);
      return operation.run(undefined, context, filled);
    }, context);
    const [first] = errors ?? [];
    if (first !== undefined) throw toAppError(first, services, scope.requestId);
    return data as Record<string, unknown>;
  };
  return { run };
}
