/** `POST /graphql`: passes requests to the GraphQL server. After the guard, errors have GraphQL's form. */
import { AppError } from "../errors.ts";
import { countRootPlaces } from "../graphql/root-places.ts";
import type { GraphqlHandler } from "../graphql/yoga.ts";
import { isSubscription } from "../graphql/subscribe.ts";
import type { Answers } from "./answers.ts";
import { EVENT_STREAM_TYPE, type EventStreams } from "./events.ts";
import { parseJson, readJsonText } from "./json-body.ts";
import type { Check, Middleware, RestContext } from "./state.ts";

export const GRAPHQL_PATH = "/graphql";

/** The Content-Security-Policy of GraphiQL: one page that contains its scripts, styles, fonts and workers. */
export const GRAPHIQL_POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' blob:",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "font-src data:",
  "worker-src blob: data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** The media types of answers. A client that accepts all of them, or none, gets the first. */
const RESPONSE_TYPES = ["application/json", "application/graphql-response+json"];

/**
 * Refuses GET unless it is for HTML. Only browsers need the page; any other GET is meant as a query, which needs POST.
 */
export const refuseQueriesByGet: Middleware = (ctx, next) => {
  if (ctx.accepts("html")) return next();
  ctx.set("Allow", "POST");
  throw new AppError("method_not_allowed", `${ctx.method} is not allowed for queries, only POST.`);
};

/** Whether it is a GraphQL request. These count themselves against the rate limit. */
export function isGraphqlRequest({ method, path }: RestContext): boolean {
  return method === "POST" && path === GRAPHQL_PATH;
}

export interface GraphqlGuard {
  lookAgain: Check;
  answers: Answers;
  events: EventStreams;
  /** All that a token must pass. */
  checkToken: Check;
}

export function answerGraphql(handler: GraphqlHandler, guard: GraphqlGuard): Middleware {
  return async (ctx) => {
    const params = await readCounted(ctx, guard, handler);
    const accept = ctx.accepts(RESPONSE_TYPES) || "application/json";
    const subscribes = isSubscription(params, handler.documents);
    if (subscribes && !ctx.accepts(EVENT_STREAM_TYPE)) {
      ctx.status = TAKES_NO_EVENTS.status;
      await guard.answers.sendValue(ctx, handler.refuse(TAKES_NO_EVENTS));
      return;
    }
    const open = subscribes ? guard.events.open(ctx, guard.checkToken) : null;
    const answer = await handler.handle({ params, accept }, open?.scope ?? ctx.state);
    if ("events" in answer) {
      if (open === null) throw new Error("a request that is no subscription has events");
      open.send(answer.events, handler.refuse);
      return;
    }
    open?.release();
    const { status, headers, value } = answer;
    ctx.status = status;
    ctx.set(headers);
    try {
      await guard.answers.sendValue(ctx, value);
    } catch (error) {
      if (!(error instanceof AppError && error.endsRequest)) throw error;
      ctx.status = error.status;
      await guard.answers.sendValue(ctx, handler.refuse(error));
    }
  };
}

const TAKES_NO_EVENTS = new AppError(
  "bad_request",
  `A subscription is answered as ${EVENT_STREAM_TYPE}: name it in Accept.`,
);

/** Counts the request and parses its body. A body that cannot be read counts too. */
async function readCounted(
  ctx: RestContext,
  { lookAgain }: GraphqlGuard,
  { documents }: GraphqlHandler,
): Promise<unknown> {
  let params: unknown;
  try {
    params = parseJson(await readJsonText(ctx));
  } catch (error) {
    await lookAgain(ctx);
    await ctx.state.takePlaces(1);
    throw error;
  }
  await lookAgain(ctx);
  await ctx.state.takePlaces(countRootPlaces(params, documents));
  return params;
}
