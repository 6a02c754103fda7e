/** `/graphql`: graphql-yoga with the same schema, context and compiled execution as the REST façade. */
import { type ExecutionArgs, type ExecutionResult, GraphQLError, type GraphQLSchema, type Source } from "graphql";
import { createYoga, type GraphQLParams, isAsyncIterable, type Plugin } from "graphql-yoga";

import { type AppError, badField } from "../errors.ts";
import type { CompiledOperation } from "./compile.ts";
import type { Services } from "../services.ts";
import { createContext, type GraphqlContext, type RequestScope, type RunOperation } from "./context.ts";
import { createDocuments, type Documents } from "./documents.ts";
import { toPublicError } from "./errors.ts";
import { renderGraphiqlPage } from "./graphiql/page.ts";
import { checkCost } from "./limits.ts";
import { requireSize } from "./read-document.ts";
import { refuse } from "./refusal.ts";
import { runToEnd } from "./run-to-end.ts";
import { subscribe } from "./subscribe.ts";

interface GraphqlRequest {
  /** The parsed body, whatever it is. */
  params: unknown;
  /** The media type of the answer. */
  accept: string;
}

interface GraphqlAnswer {
  status: number;
  headers: Record<string, string>;
  /** What is to be written as JSON. */
  value: ExecutionResult;
}

/** The results of a subscription, one after the other. */
interface GraphqlEvents {
  events: AsyncIterable<ExecutionResult>;
}

export interface GraphqlHandler {
  /** Answers a GraphQL request that was let in. */
  handle(request: GraphqlRequest, scope: RequestScope): Promise<GraphqlAnswer | GraphqlEvents>;
  /** What is answered in the place of a value that is refused for its size. */
  refuse(error: AppError): ExecutionResult;
  /** The page of GraphiQL, for browsers. */
  graphiqlPage(): string;
  /** The documents of its requests. */
  documents: Documents;
}

/** Runs an operation; its errors are made public here, where the request's id is known. */
async function execute(operation: CompiledOperation, args: ExecutionArgs): Promise<ExecutionResult> {
  const context = args.contextValue as GraphqlContext;
  const { services, requestId } = context;
  const report = (err: unknown): void => services.log.error({ err, requestId }, "unexpected error in a resolver");
  try {
    const result = await runToEnd(operation, context, args.variableValues ?? {});
    if (result.errors === undefined) return result;
    return { ...result, errors: result.errors.map((error) => toPublicError(error, report)) };
  } catch (error) {
    return { errors: [toPublicError(error, report)] };
  }
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

/**
 * Answers subscriptions by `subscribe`, within the limits of every other operation. graphql-js by itself would check the
 * variables its own way, and answer every event with the loaders and the budget of the first.
 */
function useSubscriptions(
  schema: GraphQLSchema,
  shownFor: (requestId: string) => (error: unknown) => GraphQLError,
  contextFor: (scope: RequestScope) => GraphqlContext,
): Plugin<Exchange> {
  return {
    onSubscribe({ args, setSubscribeFn, setResultAndStopExecution }) {
      const { document, operationName, variableValues = {} } = args;
      const refusal = checkCost(schema, document, operationName, variableValues);
      if (refusal !== null) {
        setResultAndStopExecution({ errors: [refusal] });
        return;
      }
      const { scope } = args.contextValue;
      const { stillAllowed, requestId } = scope;
      const operation = { schema, document, operationName, variableValues };
      const parts = { openContext: () => contextFor(scope), stillAllowed, toShown: shownFor(requestId) };
      setSubscribeFn(() => subscribe({ ...operation, ...parts }));
    },
  };
}

/** Lone surrogates cannot be stored, searched or answered: they are refused everywhere. */
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

/** What Yoga is given with a request, and what it leaves there. */
interface Exchange {
  scope: RequestScope;
  params: unknown;
  answered: { value?: ExecutionResult; events?: AsyncIterable<ExecutionResult> };
}

/**
 * The body was parsed, and the result will be written, by whoever asks.
 * Yoga decides the answer's status and headers, and what is shown of its errors.
 */
const useValues = (toShown: (error: unknown) => GraphQLError): Plugin<object, Exchange> => ({
  onRequestParse({ serverContext, setRequestParser }) {
    setRequestParser(() => toParams(serverContext.params));
  },
  onResultProcess({ result, setResult, setResultProcessor, serverContext: { answered } }) {
    if (Array.isArray(result)) throw new Error("a request has one result");
    if (isAsyncIterable(result)) {
      answered.events = result;
      setResultProcessor((_result, fetchAPI) => new fetchAPI.Response(null), "text/event-stream");
      return;
    }
    const { errors } = result;
    // Yoga's own hook for the text; as a function in a value it is not written.
    const stringify = (shown: ExecutionResult): string => {
      answered.value = shown;
      return "";
    };
    // What is wrong with a document comes here with Yoga's codes.
    setResult({ ...result, ...(errors && { errors: errors.map(toShown) }), stringify });
  },
});

function toParams(body: unknown): GraphQLParams | GraphQLParams[] {
  if (typeof body !== "object" || body === null) throw refuse("The body of a GraphQL request must be a JSON object.");
  // An empty name counts as none: Yoga would look for an operation of that name to tell what kind it is.
  if (!("operationName" in body) || body.operationName !== "") return body;
  const { operationName: _, ...others } = body;
  return others;
}

/** Where Yoga listens; nobody but `handle` asks it. */
const ENDPOINT = "http://localhost/graphql";

/** @param runOperation for what a resolver looks up by a document of `schema/` */
export function createGraphqlHandler(
  schema: GraphQLSchema,
  services: Services,
  runOperation: RunOperation,
): GraphqlHandler {
  const documents = createDocuments(schema);
  const shownFor = (requestId?: string) => {
    const report = (err: unknown): void =>
      services.log.error({ err, requestId }, "unexpected error in a GraphQL request");
    return (error: unknown): GraphQLError => toPublicError(error, report);
  };
  const toShown = shownFor();
  const yoga = createYoga<Exchange, GraphqlContext>({
    schema,
    context: ({ scope }) => createContext(services, scope, runOperation),
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
    maskedErrors: { maskError: toShown },
    plugins: [
      useValues(toShown),
      useWellFormedText,
      useDocuments(documents),
      useCompiledExecution(schema, documents),
      useSubscriptions(schema, shownFor, (scope) => createContext(services, scope, runOperation)),
    ],
  });
  return {
    async handle({ params, accept }, scope) {
      const exchange: Exchange = { scope, params, answered: {} };
      const headers = { "Content-Type": "application/json", Accept: accept };
      const response = await yoga.fetch(ENDPOINT, { method: "POST", headers }, exchange);
      const { value, events } = exchange.answered;
      if (events !== undefined) return { events };
      if (value === undefined) throw new Error(`GraphQL answered ${response.status} without a result`);
      return { status: response.status, headers: Object.fromEntries(response.headers), value };
    },
    refuse(error) {
      // What Yoga takes out of its own answers.
      const { http: _, ...extensions } = toPublicError(error, () => {}).extensions;
      return { errors: [new GraphQLError(error.message, { extensions })] };
    },
    graphiqlPage: () => renderGraphiqlPage(schema),
    documents,
  };
}
