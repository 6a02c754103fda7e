/** `/graphql`: graphql-yoga with the same schema, context and compiled execution as the REST façade. */
import type { ExecutionArgs, ExecutionResult, GraphQLSchema } from "graphql";
import { createYoga, type Plugin } from "graphql-yoga";
import { LRUCache } from "lru-cache";

import { badField } from "../errors.ts";
import { compileOperation, type CompiledOperation } from "./compile.ts";
import { createContext, type GraphqlContext, type RequestScope, type Services } from "./context.ts";
import { toPublicError } from "./errors.ts";
import { renderGraphiqlPage } from "./graphiql/page.ts";
import { checkCost, documentLimits } from "./limits.ts";

const MAX_COMPILED_DOCUMENTS = 500;

export interface GraphqlHandler {
  /** Answers a GraphQL request that was let in. */
  handle(request: Request, scope: RequestScope): Promise<Response>;
  /** The page of GraphiQL, for browsers. */
  graphiqlPage(): string;
}

/** Runs an operation; its errors are made public here, where the request's id is known. */
async function execute(operation: CompiledOperation, args: ExecutionArgs): Promise<ExecutionResult> {
  const { services, requestId } = args.contextValue as GraphqlContext;
  const result = await operation(args.contextValue, args.variableValues ?? {});
  if (result.errors === undefined) return result;
  const report = (err: unknown): void => services.log.error({ err, requestId }, "unexpected error in a resolver");
  return { ...result, errors: result.errors.map((error) => toPublicError(error, report)) };
}

/** Compiles each document once; the cost is checked at every execution, since it depends on the variables. */
function useCompiledExecution(schema: GraphQLSchema): Plugin {
  const compiled = new LRUCache<object, Map<string, CompiledOperation>>({ max: MAX_COMPILED_DOCUMENTS });
  const find = (args: ExecutionArgs): CompiledOperation | null => {
    const operations = compiled.get(args.document) ?? new Map<string, CompiledOperation>();
    compiled.set(args.document, operations);
    const name = args.operationName ?? "";
    const known = operations.get(name);
    if (known !== undefined) return known;
    const operation = compileOperation(schema, args.document, args.operationName);
    if ("failure" in operation) return null;
    operations.set(name, operation.run);
    return operation.run;
  };
  return {
    onExecute({ args, setExecuteFn, setResultAndStopExecution }) {
      const refusal = checkCost(schema, args.document, args.operationName, args.variableValues ?? {});
      if (refusal !== null) {
        setResultAndStopExecution({ errors: [refusal] });
        return;
      }
      const operation = find(args);
      // What cannot be compiled (an unknown operation name) is left to graphql-js to explain.
      if (operation !== null) setExecuteFn((given: ExecutionArgs) => execute(operation, given));
    },
  };
}

/** Lone surrogates cannot be stored, searched or answered: they are refused wherever they stand. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormed(inner));
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
