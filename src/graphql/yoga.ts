/** `/graphql`: graphql-yoga with the same schema, context and compiled execution as the REST façade. */
import {
  execute as executeByGraphqlJs,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  type GraphQLSchema,
} from "graphql";
import { createYoga, type Plugin } from "graphql-yoga";
import { LRUCache } from "lru-cache";

import { badField } from "../errors.ts";
import { overBudget } from "../work/budget.ts";
import { measureJson } from "../work/measure-json.ts";
import { compileOperation, type CompiledOperation, hasConditions, hasInheritedNames } from "./compile.ts";
import { countCompiledFields } from "./compiled-size.ts";
import { createContext, type GraphqlContext, type RequestScope, type Services } from "./context.ts";
import { findAppError, toPublicError } from "./errors.ts";
import { renderGraphiqlPage } from "./graphiql/page.ts";
import { checkCost, documentLimits } from "./limits.ts";

/** Fields of code of one operation: some 50 ms to compile. Seven levels of neighbours come to 800. */
const MAX_COMPILED_FIELDS = 500;
/** Fields of code that are kept, at about 1.5 KB each. */
const MAX_KEPT_FIELDS = 50_000;

/** Characters of JSON that take a slice of the event loop of their own to write. */
const LARGE_ANSWER = 256 * 1024;

export interface GraphqlHandler {
  /** Answers a GraphQL request that was let in. */
  handle(request: Request, scope: RequestScope): Promise<Response>;
  /** The page of GraphiQL, for browsers. */
  graphiqlPage(): string;
}

/** Runs an operation; its errors are made public here, where the request's id is known. */
async function execute(operation: CompiledOperation, args: ExecutionArgs): Promise<ExecutionResult> {
  const { budget, caller, services, requestId } = args.contextValue as GraphqlContext;
  const report = (err: unknown): void => services.log.error({ err, requestId }, "unexpected error in a resolver");
  const result = await operation(args.contextValue, args.variableValues ?? {});
  const ending = result.errors?.map(findAppError).find((error) => error?.endsRequest);
  // No part of an answer is given where the request as a whole was refused.
  if (ending) return { errors: [toPublicError(ending, report)] };
  const length = measureJson(result.data, budget.bytes);
  if (length > budget.bytes) return { errors: [toPublicError(overBudget("bytes", budget.bytes), report)] };
  if (length > LARGE_ANSWER) await services.turns.next(caller);
  if (result.errors === undefined) return result;
  return { ...result, errors: result.errors.map((error) => toPublicError(error, report)) };
}

/** Runs an operation field by field, by graphql-js. */
function interpret(args: Pick<ExecutionArgs, "schema" | "document" | "operationName">): CompiledOperation {
  return (contextValue, variableValues) => executeByGraphqlJs({ ...args, contextValue, variableValues });
}

/**
 * Compiles each operation once, unless it would come to too much code, since compiling holds up everybody, or holds what
 * the compiler gets wrong.
 * The cost is checked at every execution, since it depends on the variables.
 */
function useCompiledExecution(schema: GraphQLSchema): Plugin {
  const compiled = new LRUCache<object, CompiledOperation>({ maxSize: MAX_KEPT_FIELDS });
  const find = ({ document, operationName }: ExecutionArgs): CompiledOperation => {
    const operation = getOperationAST(document, operationName);
    const known = operation && compiled.get(operation);
    if (known) return known;
    const interpreted = interpret({ schema, document, operationName });
    // Why there is no such operation, graphql-js explains.
    if (!operation || hasConditions(document) || hasInheritedNames(operation)) return interpreted;
    const size = countCompiledFields(schema, document, operation);
    if (size > MAX_COMPILED_FIELDS) return interpreted;
    const made = compileOperation(schema, document, operationName);
    if ("failure" in made) return interpreted;
    compiled.set(operation, made.run, { size });
    return made.run;
  };
  return {
    onExecute({ args, setExecuteFn, setResultAndStopExecution }) {
      const refusal = checkCost(schema, args.document, args.operationName, args.variableValues ?? {});
      if (refusal !== null) {
        setResultAndStopExecution({ errors: [refusal] });
        return;
      }
      const operation = find(args);
      setExecuteFn((given: ExecutionArgs) => execute(operation, given));
    },
  };
}

/** Lone surrogates cannot be stored, searched or answered: they are refused wherever they stand. */
function isWellFormed(json: unknown): boolean {
  // No recursion: a body of 1 MiB can nest deeper than the stack reaches.
  const pending = [json];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === "string" && !value.isWellFormed()) return false;
    if (typeof value !== "object" || value === null) continue;
    for (const [key, inner] of Object.entries(value)) pending.push(key, inner);
  }
  return true;
}

const useWellFormedText: Plugin = {
  onParams({ params }) {
    if (!isWellFormed(params.query)) throw badField("query", "has a lone surrogate: it is no valid Unicode");
    if (!isWellFormed(params.variables)) throw badField("variables", "have a lone surrogate: no valid Unicode");
  },
};

export function createGraphqlHandler(schema: GraphQLSchema, services: Services): GraphqlHandler {
  const yoga = createYoga<{ scope: RequestScope }, GraphqlContext>({
    schema,
    context: ({ scope }) => createContext(services, scope),
    graphqlEndpoint: "/graphql",
    // The Koa layer answers health, GraphiQL and cross-origin questions.
    healthCheckEndpoint: "/graphql/health",
    landingPage: false,
    graphiql: false,
    cors: false,
    multipart: false,
    logging: false,
    maskedErrors: {
      maskError: (error) =>
        toPublicError(error, (err) => services.log.error({ err }, "unexpected error in a GraphQL request")),
    },
    plugins: [useWellFormedText, ...documentLimits(), useCompiledExecution(schema)],
  });
  return {
    handle: async (request, scope) => yoga.fetch(request, { scope }),
    graphiqlPage: () => renderGraphiqlPage(schema),
  };
}
