/** `POST /graphql`: passes requests to the GraphQL server. After the guard, errors have GraphQL's form. */
import { AppError } from "../../errors.ts";
import { countRootUnits } from "../../graphql/root-units.ts";
import type { GraphqlHandler } from "../../graphql/yoga.ts";
import { isSubscription } from "../../graphql/subscribe.ts";
import type { Answers } from "../answer/answers.ts";
import { EVENT_STREAM_TYPE, type EventStreams } from "../answer/events.ts";
import { isOfType } from "../body/body.ts";
import { readGraphqlForm } from "./form.ts";
import type { Uploads } from "../body/upload.ts";
import { GRAPHQL_PATH } from "../paths.ts";
import { parseJson, readJsonText } from "../body/json-body.ts";
import type { Check, Middleware, RestContext } from "../state.ts";

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

interface GraphqlGuard {
  lookAgain: Check;
  answers: Answers;
  events: EventStreams;
  uploads: { manifest: Uploads };
  publicUrl: () => string;
  /** All checks of a token. */
  checkToken: Check;
}

export function answerGraphql(handler: GraphqlHandler, guard: GraphqlGuard): Middleware {
  return async (ctx) => {
    if (isOfType(ctx, FORM_TYPE)) await answerForm(ctx, guard, handler, (params) => answer(ctx, params));
    else await answer(ctx, await readCounted(ctx, guard, handler));
  };

  async function answer(ctx: RestContext, params: unknown): Promise<void> {
    const accept = ctx.accepts(RESPONSE_TYPES) || "application/json";
    const subscribes = isSubscription(params, handler.documents);
    if (subscribes && !ctx.accepts(EVENT_STREAM_TYPE)) {
      ctx.status = TAKES_NO_EVENTS.status;
      await guard.answers.sendValue(ctx, handler.refuse(TAKES_NO_EVENTS));
      return;
    }
    const open = subscribes ? guard.events.open(ctx, guard.checkToken) : null;
    const result = await handler.handle(
      { url: `${guard.publicUrl()}${GRAPHQL_PATH}`, params, accept },
      open?.scope ?? ctx.state,
    );
    if ("events" in result) {
      if (open === null) throw new Error("a request that is no subscription has events");
      open.send(result.events, handler.refuse);
      return;
    }
    open?.release();
    const { status, headers, value } = result;
    ctx.status = status;
    ctx.set(headers);
    try {
      await guard.answers.sendValue(ctx, value);
    } catch (error) {
      if (!(error instanceof AppError && error.endsRequest)) throw error;
      ctx.status = error.status;
      await guard.answers.sendValue(ctx, handler.refuse(error));
    }
  }
}

const FORM_TYPE = "multipart/form-data";

const TAKES_NO_EVENTS = new AppError(
  "bad_request",
  `A subscription is answered as ${EVENT_STREAM_TYPE}. Name that type in Accept.`,
);

/** Takes a request with a file. The file is held until the request is answered. */
async function answerForm(
  ctx: RestContext,
  { lookAgain, uploads }: GraphqlGuard,
  { documents }: GraphqlHandler,
  answer: (params: unknown) => Promise<void>,
): Promise<void> {
  let isCounted = false;
  const count = async (params: unknown): Promise<void> => {
    isCounted = true;
    await lookAgain(ctx);
    await ctx.state.takeUnits(countRootUnits(params, documents));
  };
  try {
    await uploads.manifest.receiveForm(ctx, async (form) => {
      const params = readGraphqlForm(form, documents);
      await count(params);
      await answer(params);
    });
  } catch (error) {
    if (!isCounted) await count(null);
    throw error;
  }
}

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
    await ctx.state.takeUnits(1);
    throw error;
  }
  await lookAgain(ctx);
  await ctx.state.takeUnits(countRootUnits(params, documents));
  return params;
}
