/** The HTTP face of the service, put together: what every request passes, then the route that it is for. */
import { Router } from "@koa/router";
import Koa from "koa";
import type { Logger } from "pino";

import type { Authenticator } from "../auth/bearer.ts";
import type { GraphqlHandler } from "../graphql/yoga.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { SourceFinder } from "../limits/source-address.ts";
import type { Turns } from "../work/turns.ts";
import { type Answers, createAnswers } from "./answers.ts";
import { DOCS_POLICY, renderDocs } from "./docs/page.ts";
import { endInTime, type EndParts } from "./end-in-time.ts";
import { answerErrors, JSON_TYPE, toErrorAnswer } from "./error-answer.ts";
import { answerGraphql, GRAPHIQL_POLICY, GRAPHQL_PATH, type GraphqlGuard, refuseQueriesByGet } from "./graphql.ts";
import { ALIVE_PATH } from "./guard/access.ts";
import { createAdmission } from "./guard/admission.ts";
import { createGuard } from "./guard/guard.ts";
import { type LockoutGuard, noteAuthentication } from "./guard/lockout.ts";
import { createProgress } from "./guard/progress.ts";
import { createQuota } from "./guard/quota.ts";
import { logFailedResponse } from "./failed-response.ts";
import { createRouteHandler, type OperationParts } from "./handle.ts";
import { refuseMalformedHosts } from "./host.ts";
import { toOauthErrorAnswer } from "./oauth/error-answer.ts";
import { TOKEN_PATH } from "./oauth/path.ts";
import { answerToken, type TokenIssuer } from "./oauth/token.ts";
import { buildOpenapi } from "./openapi/document.ts";
import { answerPage } from "./page.ts";
import { logRequests } from "./request-log.ts";
import { openScope } from "./request-scope.ts";
import { ROUTES } from "./routes.ts";
import { setSecurityHeaders } from "./security-headers.ts";
import type { Middleware, RestContext } from "./state.ts";
import { createUploads, type Uploads } from "./upload.ts";
import { refuseMalformedPaths, refuseUnmatched } from "./unmatched.ts";

export interface RestParts extends OperationParts, EndParts {
  graphql: GraphqlHandler;
  findSource: SourceFinder;
  turns: Turns;
  /** The most bytes that an answer may have. */
  maxAnswerBytes: number;
  lockout: LockoutGuard;
  authenticator: Authenticator;
  limiter: RateLimiter;
  issueToken: TokenIssuer;
  log: Logger;
  /** The service's version. */
  version: string;
  /** The origin by which clients reach the service; asked when first needed, since a free port is known late. */
  publicUrl: () => string;
}

/** @throws Error at start, when a route names an operation that is not there or does not fit it */
export function createRestApp(parts: RestParts): Koa {
  const app = new Koa();
  const quota = createQuota(parts.limiter);
  const admit = createAdmission({ ...parts, quota });
  const progress = createProgress(parts.turns);
  const answers = createAnswers(parts);
  const uploads = createUploads();
  app.on("error", logFailedResponse(parts.log));
  app.use(openScope(parts));
  app.use(logRequests(parts.log));
  app.use(setSecurityHeaders);
  app.use(noteAuthentication(parts.lockout));
  app.use(answerErrors(parts.log, (ctx) => (ctx.path === TOKEN_PATH ? toOauthErrorAnswer : toErrorAnswer)));
  app.use(endInTime(parts));
  app.use(refuseMalformedHosts(parts.lockout));
  app.use(createGuard({ ...parts, admit, quota, progress }));
  app.use(refuseMalformedPaths);
  app.use(createRouter({ ...parts, admit, quota, answers, uploads }).routes());
  app.use(refuseUnmatched);
  return app;
}

const HTML_TYPE = "text/html; charset=utf-8";

/** The process runs and takes requests; nothing else is asked. */
const answerAlive: Middleware = (ctx) => {
  ctx.set("Content-Type", JSON_TYPE);
  ctx.body = '{"status":"ok"}';
};

function createRouter(
  parts: RestParts & GraphqlGuard & { answers: Answers; uploads: Uploads },
): Router<RestContext["state"]> {
  const { graphql, publicUrl } = parts;
  const router = new Router<RestContext["state"]>({ sensitive: true, strict: true });
  for (const route of ROUTES) {
    const handle = createRouteHandler(route, parts);
    router.register(route.path, [route.method], (ctx) => handle(ctx, ctx.params));
  }
  const openapi = () => buildOpenapi({ ...parts, routes: ROUTES, origin: publicUrl() });
  const docs = { "Content-Type": HTML_TYPE, "Content-Security-Policy": DOCS_POLICY };
  const graphiql = { "Content-Type": HTML_TYPE, "Content-Security-Policy": GRAPHIQL_POLICY };
  router.get("/", (ctx) => ctx.redirect("/docs"));
  router.get(ALIVE_PATH, answerAlive);
  router.post(TOKEN_PATH, answerToken(parts));
  router.get(
    "/openapi.json",
    answerPage(() => JSON.stringify(openapi()), { "Content-Type": JSON_TYPE }),
  );
  router.get(
    "/docs",
    answerPage(() => renderDocs(openapi()), docs),
  );
  router.get(GRAPHQL_PATH, refuseQueriesByGet, answerPage(graphql.graphiqlPage, graphiql));
  router.post(GRAPHQL_PATH, answerGraphql(graphql, parts));
  return router;
}
