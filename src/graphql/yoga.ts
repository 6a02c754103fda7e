/** `/graphql`: graphql-yoga with the same schema, context and compiled execution as the REST façade. */
import type { ExecutionArgs, ExecutionResult, GraphQLSchema, Source } from "graphql";
import { createYoga, type Plugin } from "graphql-yoga";

import { badField } from "../errors.ts";
import { overBudget } from "../work/budget.ts";
import { measureJson } from "../work/measure-json.ts";
import type { CompiledOperation } from "./compile.ts";
import { createContext, type GraphqlContext, type RequestScope, type Services } from "./context.ts";
import { createDocuments, type Documents } from "./documents.ts";
import { findAppError, toPublicError } from "./errors.ts";
import { renderGraphiqlPage } from "./graphiql/page.ts";
import { checkCost } from "./limits.ts";
import { requireSize } from "./read-document.ts";

/** Characters of JSON that take a slice of the event loop of their own to write. */
const LARGE_ANSWER = 256 * 1024;

export interface GraphqlHandler {
  /** Answers a GraphQL request that was let in. */
  handle(request: Request, scope: RequestScope): Promise<Response>;
  /** The page of GraphiQL, for browsers. */
  graphiqlPage(): string;
  /** The documents of its requests. */
  documents: Documents;
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

/** Parses and validates each document once. */
function useDocuments(documents: Documents): Plugin {
  return {
    // Here it is answered with status 400 to every client; what `onParse` throws is not.
    onParams({ params }) {
      if (typeof params.query === "string") requireSize(params.query);
    },
    onParse: ({ setParseFn }) => setParseFn((source: string | Source) => documents.parse(textOf(source))),
    onValidate: ({ params, setResult }) => setResult(documents.validate(params.documentAST)),
  };
}

function textOf(source: string | Source): string {
  return typeof source === "string" ? source : source.body;
}

/**
 * Compiles each operation once.
 * The variables and the cost are checked at every execution, since the cost depends on the variables.
 */
function useCompiledExecution(schema: GraphQLSchema, documents: Documents): Plugin {
  return {
    onExecute({ args, setExecuteFn, setResultAndStopExecution }) {
      const refusal = checkCost(schema, args.document, args.operationName, args.variableValues ?? {});
      if (refusal !== null) {
        setResultAndStopExecution({ errors: [refusal] });
        return;
      }
      const operation = documents.prepare(args.document, args.operationName);
      setExecuteFn((given: ExecutionArgs) => execute(operation, given));
    },
  };
}

/** Lone surrogates cannot be stored, searched or answered: they are refused wherever they stand. */
function isWellFormed(json: unknown): boolean {
  // No recursion: a body of 1 MiB can nest deeper than the stack reaches.
  const pending: object[] = [[json]];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (!Array.isArray(value) && !Object.keys(value).every((key) => key.isWellFormed())) return false;
    const items: unknown[] = Array.isArray(value) ? value : Object.values(value);
    for (const inner of items) {
      if (typeof inner === "string" && !inner.isWellFormed()) return false;
      if (typeof inner === "object" && inner !== null) pending.push(inner);
    }
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
  const documents = createDocuments(schema);
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
    // Its cache is bounded by the number of documents, whatever their size.
    parserAndValidationCache: false,
    maskedErrors: {
      maskError: (error) =>
        toPublicError(error, (err) => services.log.error({ err }, "unexpected error in a GraphQL request")),
    },
    plugins: [useWellFormedText, useDocuments(documents), useCompiledExecution(schema, documents)],
  });
  return {
    handle: async (request, scope) => yoga.fetch(request, { scope }),
    graphiqlPage: () => renderGraphiqlPage(schema),
    documents,
  };
}
