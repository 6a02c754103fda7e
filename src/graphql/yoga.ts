/** `/graphql`: graphql-yoga with the schema, the context and the limits of the REST API. */
import { type ExecutionResult, getOperationAST, GraphQLError, type GraphQLSchema, type Source } from "graphql";
import { createYoga, type GraphQLParams, isAsyncIterable, type Plugin } from "graphql-yoga";

import { type AppError, badField } from "../errors.ts";
import type { Services } from "../services.ts";
import { readAsOf } from "./as-of.ts";
import { createContext, type GraphqlContext, type RequestScope, type RunOperation } from "./context.ts";
import { createDocuments, type Documents } from "./documents.ts";
import { toPublicError } from "./errors.ts";
import { renderGraphiql } from "./graphiql/page.ts";
import { checkCost } from "./limits.ts";
import { readOperations } from "./operations.ts";
import { requireSize } from "./read-document.ts";
import { refuse } from "./refusal.ts";
import { runToEnd } from "./run-to-end.ts";
import { subscribe } from "./subscribe.ts";

interface GraphqlRequest {
  /** The address at which clients reach GraphQL. */
  url: string;
  /** The parsed body, which may be any value. */
  params: unknown;
  /** The media type of the answer. */
  accept: string;
}

interface GraphqlAnswer {
  status: number;
  headers: Record<string, string>;
  /** The answer, which will be written as JSON. */
  value: ExecutionResult;
}

/** The results of a subscription, one for each event. */
interface GraphqlEvents {
  events: AsyncIterable<ExecutionResult>;
}

export type GraphqlHandler = ReturnType<typeof createGraphqlHandler>;

/** Runs an operation, and translates its errors here, where the request's id is known for the log. */
async function execute(run: () => Promise<ExecutionResult>, context: GraphqlContext): Promise<ExecutionResult> {
  const { services, requestId } = context;
  const report = (err: unknown): void => services.log.error({ err, requestId }, "unexpected error in a resolver");
  try {
    const result = await runToEnd(run, context);
    if (result.errors === undefined) return result;
    return { ...result, errors: result.errors.map((error) => toPublicError(error, report)) };
  } catch (error) {
    return { errors: [toPublicError(error, report)] };
  }
}

/** Parses and validates each document once. */
function useDocuments(documents: Documents): Plugin {
  return {
    // Thrown here, it is answered with status 400 to every client. Thrown in `onParse`, it would not be.
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

/** Checks the variables and the cost before each execution, because the cost depends on the variables. */
function useLimits(schema: GraphQLSchema): Plugin<GraphqlContext> {
  return {
    onExecute({ args, executeFn, setExecuteFn, setResultAndStopExecution }) {
      const refusal = checkCost(schema, args.document, args.operationName, args.variableValues ?? {});
      if (refusal !== null) {
        setResultAndStopExecution({ errors: [refusal] });
        return;
      }
      const { contextValue: context, document, operationName, variableValues = {} } = args;
      const operation = getOperationAST(document, operationName);
      setExecuteFn((given) =>
        execute(async () => {
          if (operation) readAsOf(context, document, operation, variableValues);
          return executeFn(given);
        }, context),
      );
    },
  };
}

/**
 * Answers subscriptions with `subscribe`, within the same limits as other operations. graphql-js would check the variables in
 * its own way, and answer all events with the loaders and the budget of the first.
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

/** Lone surrogates cannot be stored, searched or answered, so they are refused everywhere. */
function isWellFormed(json: unknown): boolean {
  // Without recursion: a body of 1 MiB can be nested so deep that the stack would overflow.
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
    if (!isWellFormed(params.query)) throw badField("query", "has a lone surrogate, so it is not valid Unicode");
    if (!isWellFormed(params.variables))
      throw badField("variables", "have a lone surrogate, so they are not valid Unicode");
  },
};

/** What Yoga gets with a request, and where it puts its result. */
interface Exchange {
  scope: RequestScope;
  params: unknown;
  answered: { value?: ExecutionResult; events?: AsyncIterable<ExecutionResult> };
}

/**
 * The caller has parsed the body and will write the result.
 * Yoga decides the status and headers of the answer, and which errors are shown.
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
    // Yoga calls this to write the text. JSON leaves it out, because it is a function.
    const stringify = (shown: ExecutionResult): string => {
      answered.value = shown;
      return "";
    };
    // The faults of a document come here with Yoga's codes.
    setResult({ ...result, ...(errors && { errors: errors.map(toShown) }), stringify });
  },
});

function toParams(body: unknown): GraphQLParams | GraphQLParams[] {
  if (typeof body !== "object" || body === null) throw refuse("The body of a GraphQL request must be a JSON object.");
  // An empty name counts as no name. Yoga would look for an operation with that name to find out its kind.
  if (!("operationName" in body) || body.operationName !== "") return body;
  const { operationName: _, ...others } = body;
  return others;
}

function nameOf(params: unknown): string {
  const given = typeof params === "object" && params !== null && "operationName" in params ? params.operationName : "";
  return typeof given === "string" ? given : "";
}

/** @param runOperation runs a document of `schema/` for a resolver */
export function createGraphqlHandler(schema: GraphQLSchema, services: Services, runOperation: RunOperation) {
  /** The documents of its clients. */
  const documents = createDocuments(schema);
  const knownNames = new Set(readOperations(["operations", "tools", "commands"]).keys());
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
    // Koa answers for health, GraphiQL and CORS.
    healthCheckEndpoint: "/graphql/health",
    landingPage: false,
    graphiql: false,
    cors: false,
    multipart: false,
    logging: false,
    // Its cache is bounded by the number of documents, not by their sizes.
    parserAndValidationCache: false,
    maskedErrors: { maskError: toShown },
    plugins: [
      useValues(toShown),
      useWellFormedText,
      useDocuments(documents),
      useLimits(schema),
      useSubscriptions(schema, shownFor, (scope) => createContext(services, scope, runOperation)),
    ],
  });
  return {
    /** Answers a GraphQL request whose token has been checked. */
    async handle({ url, params, accept }: GraphqlRequest, scope: RequestScope): Promise<GraphqlAnswer | GraphqlEvents> {
      const exchange: Exchange = { scope, params, answered: {} };
      const headers = { "Content-Type": "application/json", Accept: accept };
      const name = nameOf(params);
      const observed = {
        kind: "graphql",
        // Clients name their operations as they like.
        name: knownNames.has(name) ? name : "other",
        outcomeOf: () => (exchange.answered.value?.errors === undefined ? "ok" : "error"),
      } as const;
      const response = await services.observe(observed, async () =>
        yoga.fetch(url, { method: "POST", headers }, exchange),
      );
      const { value, events } = exchange.answered;
      if (events !== undefined) return { events };
      if (value === undefined) throw new Error(`GraphQL answered ${response.status} without a result`);
      return { status: response.status, headers: Object.fromEntries(response.headers), value };
    },
    /** Makes the answer that replaces a value that is too large. */
    refuse(error: AppError): ExecutionResult {
      // Yoga removes these from its own answers too.
      const { http: _, ...extensions } = toPublicError(error, () => {}).extensions;
      return { errors: [new GraphQLError(error.message, { extensions })] };
    },
    /**
     * Returns the page of GraphiQL, for browsers.
     * @param files the paths at which its script and its style are served
     */
    graphiql: (files: { script: string; style: string }) => renderGraphiql(schema, files),
    documents,
  };
}
