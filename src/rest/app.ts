/** Creates the Koa app: the steps for every request, then the routes. */
import { Router } from "@koa/router";
import Koa from "koa";
import type { Logger } from "pino";

import type { Authenticator } from "../auth/bearer.ts";
import type { LoginParts } from "../auth/logins/login-parts.ts";
import type { SessionAuthenticator } from "../auth/sessions/authenticate.ts";
import type { Sso } from "../auth/sso/sso.ts";
import { unavailable } from "../errors.ts";
import type { HealthReport } from "../health.ts";
import type { GraphqlHandler } from "../graphql/yoga.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { SourceFinder } from "../limits/source-address.ts";
import type { EventLoopScheduler } from "../work/event-loop-scheduler.ts";
import { createAnswers } from "./answers.ts";
import { createCookies } from "./auth/cookies.ts";
import { requireOwnOrigin } from "./auth/own-origin.ts";
import { addAuthRoutes } from "./auth/routes.ts";
import { DOCS_POLICY, renderDocs } from "./docs/page.ts";
import { type EndParts } from "./end-in-time.ts";
import { JSON_TYPE } from "./error-answer.ts";
import type { EventStreams } from "./events.ts";
import { answerGraphiql, GRAPHIQL_FILES } from "./graphiql.ts";
import { answerGraphql, GRAPHQL_PATH, type GraphqlGuard, refuseQueriesByGet } from "./graphql.ts";
import { ALIVE_PATH, READY_PATH } from "./guard/access.ts";
import { type LockoutGuard } from "./guard/lockout.ts";
import { createQuota, type Quota } from "./guard/quota.ts";
import { createSessionGuard } from "./guard/session.ts";
import { createSecondLook } from "./guard/second-look.ts";
import { logFailedResponse } from "./failed-response.ts";
import { createRouteHandler, type HandlerParts, type OperationParts } from "./handle.ts";
import { answerMcp } from "./mcp/answer.ts";
import { buildMetadata } from "./mcp/metadata.ts";
import { MCP_PATH, METADATA_PATHS } from "./mcp/path.ts";
import { TOKEN_PATH } from "./oauth/path.ts";
import { answerToken, type TokenIssuer } from "./oauth/token.ts";
import { buildOpenapi } from "./openapi/document.ts";
import { observeRequests, type RequestWatchers } from "./observe-requests.ts";
import { answerPage } from "./page.ts";
import { ROUTES } from "./routes.ts";
import type { Check, Middleware, RestContext } from "./state.ts";
import { createSteps, createTokenChecks } from "./steps.ts";
import { answerUi, answerUiPage, type Ui } from "./ui/answer.ts";
import { refuseUnmatched } from "./unmatched.ts";
import { createUploads, EVENTS, MANIFESTS } from "./upload.ts";

export interface RestParts extends OperationParts, EndParts {
  graphql: GraphqlHandler;
  findSource: SourceFinder;
  turns: EventLoopScheduler;
  /** Where subscriptions are answered. */
  events: EventStreams;
  /** The largest answer, in bytes. */
  maxAnswerBytes: number;
  lockout: LockoutGuard;
  authenticator: Authenticator;
  limiter: RateLimiter;
  sessions: SessionAuthenticator;
  logins: LoginParts;
  /** Null: people log in with passwords only. */
  sso: Sso | null;
  issueToken: TokenIssuer;
  health: () => Promise<HealthReport>;
  /** Null: nobody watches the service. */
  watchers: RequestWatchers | null;
  log: Logger;
  /** The service's version. */
  version: string;
  /**
   * Returns the origin at which clients reach the service. Called late, because a free port is known only after
   * listening.
   */
  publicUrl: () => string;
  /** Whether the settings say where clients reach the service. */
  hasPublicUrl: boolean;
  /** Null if the service runs without the workspace UI. */
  ui: Ui | null;
}

/** @throws Error at the start, if a route names an operation that does not exist or does not fit it */
export function createRestApp(parts: RestParts): Koa {
  const app = new Koa();
  app.on("error", logFailedResponse(parts.log));
  const quota = createQuota(parts.limiter);
  const cookies = createCookies(parts.publicUrl);
  const ownOrigin = requireOwnOrigin(parts);
  const sessionGuard = createSessionGuard({ ...parts, cookies, ownOrigin });
  const checks = createTokenChecks({ ...parts, sessionGuard });
  const checkToken: Check = async (ctx) => {
    for (const check of Object.values(checks)) await check(ctx);
  };
  const lookAgain = createSecondLook(checkToken);
  const router = createRouter({
    ...parts,
    checkToken,
    lookAgain,
    quota,
    answers: createAnswers(parts),
    uploads: { manifest: createUploads(MANIFESTS), events: createUploads(EVENTS) },
  });
  const { store, devices, lifetime } = parts.logins;
  addAuthRoutes(router, { ...parts, store, devices, cookies, ownOrigin, lookAgain, maxMs: lifetime.maxMs });
  const loginWays = { password: true, sso: parts.sso && { name: parts.sso.name } } as const;
  if (parts.watchers !== null) app.use(observeRequests(router, parts.watchers));
  for (const step of createSteps({ ...parts, checks, quota, loginWays })) app.use(step);
  app.use(router.routes());
  if (parts.ui !== null) app.use(answerUi(parts.ui));
  app.use(refuseUnmatched);
  return app;
}

const HTML_TYPE = "text/html; charset=utf-8";

/** Answers that the process accepts requests. Checks nothing else. */
const answerAlive: Middleware = (ctx) => {
  ctx.set("Content-Type", JSON_TYPE);
  ctx.body = '{"status":"ok"}';
};

/** Answers whether requests can be served: whether both stores answer. A server that stops refuses this like any other. */
function answerReady(health: RestParts["health"]): Middleware {
  return async (ctx) => {
    const { status } = await health();
    if (status === "error") throw unavailable("The graph store or the metadata store is down.");
    ctx.set("Content-Type", JSON_TYPE);
    ctx.body = '{"status":"ok"}';
  };
}

function createRouter(
  parts: RestParts & GraphqlGuard & { quota: Quota } & Pick<HandlerParts, "answers" | "uploads">,
): Router<RestContext["state"]> {
  const { graphql, publicUrl } = parts;
  const router = new Router<RestContext["state"]>({ sensitive: true, strict: true });
  for (const route of ROUTES) {
    const handle = createRouteHandler(route, parts);
    router.register(route.path, [route.method], (ctx) => handle(ctx, ctx.params));
  }
  const openapi = () => buildOpenapi({ ...parts, routes: ROUTES, origin: publicUrl() });
  const docs = { "Content-Type": HTML_TYPE, "Content-Security-Policy": DOCS_POLICY };
  const graphiql = answerGraphiql(graphql, parts.logins.random);
  router.get("/", parts.ui === null ? (ctx) => ctx.redirect("/docs") : answerUiPage(parts.ui));
  router.get(ALIVE_PATH, answerAlive);
  router.get(READY_PATH, answerReady(parts.health));
  router.post(TOKEN_PATH, answerToken(parts));
  router.get(
    "/openapi.json",
    answerPage(() => JSON.stringify(openapi()), { "Content-Type": JSON_TYPE }),
  );
  router.get(
    "/docs",
    answerPage(() => renderDocs(openapi()), docs),
  );
  router.get(GRAPHQL_PATH, refuseQueriesByGet, graphiql.html);
  router.get(GRAPHIQL_FILES.script, graphiql.script);
  router.get(GRAPHIQL_FILES.style, graphiql.style);
  router.post(GRAPHQL_PATH, answerGraphql(graphql, parts));
  router.post(MCP_PATH, answerMcp(parts));
  for (const { path, resource } of METADATA_PATHS) {
    const metadata = () => JSON.stringify(buildMetadata(publicUrl(), resource));
    router.get(path, answerPage(metadata, { "Content-Type": JSON_TYPE }));
  }
  return router;
}
