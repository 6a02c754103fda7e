/** Creates the Koa app: the steps for every request, then the routes. */
import { Router } from "@koa/router";
import Koa from "koa";
import type { DocumentNode } from "graphql";
import type { Logger } from "pino";

import type { Authenticator } from "../auth/bearer.ts";
import type { LoginParts } from "../auth/logins/login-parts.ts";
import type { RefusalTrail } from "../auth/refusals.ts";
import type { SessionAuthenticator } from "../auth/sessions/authenticate.ts";
import type { Sso } from "../auth/sso/sso.ts";
import { unavailable } from "../errors.ts";
import type { OperationRunner } from "../graphql/run-operation.ts";
import type { GraphqlHandler } from "../graphql/yoga.ts";
import type { HealthReport } from "../telemetry/health.ts";
import type { RateLimiter } from "../limits/limits.ts";
import type { SourceFinder } from "../addresses/source-address.ts";
import type { EventLoopScheduler } from "../work/event-loop-scheduler.ts";
import { type Answers, createAnswers } from "./answer/answers.ts";
import { JSON_TYPE, logFailedResponse } from "./answer/error-answer.ts";
import type { EventStreams } from "./answer/events.ts";
import { answerPage } from "./answer/page.ts";
import { createCookies } from "./auth/cookies.ts";
import { createLoginHandlers } from "./auth/logins.ts";
import { createSsoHandlers } from "./auth/sso.ts";
import { createUploads, EVENTS, MANIFESTS, PROPOSALS, type UploadKind, type Uploads } from "./body/upload.ts";
import { createDataHubHandlers } from "./datahub/answer.ts";
import { answerDocs } from "./docs.ts";
import type { EndParts } from "./end-in-time.ts";
import type { Endpoint } from "./endpoint.ts";
import { type EndpointId, ENDPOINTS } from "./endpoints.ts";
import { answerGraphql, refuseQueriesByGet } from "./graphql/answer.ts";
import { answerGraphiql } from "./graphql/graphiql.ts";
import type { LockoutGuard } from "./guard/lockout.ts";
import { createQuota } from "./guard/quota.ts";
import { createSessionGuard } from "./guard/session.ts";
import { createSecondLook, createTokenChecks } from "./guard/token.ts";
import { answerMcp } from "./mcp/answer.ts";
import { buildMetadata } from "./mcp/metadata.ts";
import type { Feed } from "../notices/feed.ts";
import type { Unsubscribe } from "../notices/unsubscribe.ts";
import { createNoticeHandlers } from "./notices/handlers.ts";
import { answerToken, type TokenIssuer } from "./oauth/token.ts";
import { observeRequests, type RequestWatchers } from "./observe-requests.ts";
import { requireOwnOrigin } from "./origin.ts";
import { DOCS_PATH, MCP_PATH } from "./paths.ts";
import type { Check, Middleware, RestContext } from "./state.ts";
import { createSteps } from "./steps.ts";
import { answerUi, answerUiPage, type Ui } from "./ui.ts";
import { refuseUnmatched } from "./unmatched.ts";

/** What the edge offers to the handlers of REST routes. */
export interface RouteTools {
  lookAgain: Check;
  answers: Answers;
  uploads: Readonly<Record<UploadKind, Uploads>>;
}

interface RestRoute {
  method: Endpoint["method"];
  path: string;
  /** @param path the decoded parameters of the path */
  handle: (ctx: RestContext, path: Record<string, string>) => Promise<void>;
}

/** The REST API, as `rest/` builds it from its table. */
export interface RestApi {
  /** The paths that need no token. */
  openPaths: readonly string[];
  createRoutes(tools: RouteTools): RestRoute[];
  /**
   * Makes the OpenAPI document, with all endpoints of the origin.
   * @param origin the origin at which clients reach the service
   */
  printOpenapi(origin: string): string;
}

export interface HttpAppParts extends EndParts {
  rest: RestApi;
  graphql: GraphqlHandler;
  /** Runs the documents that tools ask. */
  runner: OperationRunner;
  operations: ReadonlyMap<string, DocumentNode>;
  refusals: RefusalTrail;
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
  unsubscribe: Unsubscribe;
  openFeed: (address: { id: string; secret: string }) => Promise<Feed | null>;
  issueToken: TokenIssuer;
  health: () => Promise<HealthReport>;
  /** Null: requests are neither counted nor traced. */
  watchers: RequestWatchers | null;
  log: Logger;
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

export function createHttpApp(parts: HttpAppParts): Koa {
  const { graphql, publicUrl, rest, ui } = parts;
  const { random, store, devices, lifetime } = parts.logins;
  const app = new Koa();
  app.on("error", logFailedResponse(parts.log));
  const quota = createQuota(parts.limiter);
  const cookies = createCookies(publicUrl);
  const ownOrigin = requireOwnOrigin(parts);
  const sessionGuard = createSessionGuard({ ...parts, cookies, ownOrigin });
  const checks = createTokenChecks({ ...parts, sessionGuard });
  const checkToken: Check = async (ctx) => {
    for (const check of Object.values(checks)) await check(ctx);
  };
  const tools: RouteTools = {
    lookAgain: createSecondLook(checkToken),
    answers: createAnswers(parts),
    uploads: { manifest: createUploads(MANIFESTS), events: createUploads(EVENTS), proposals: createUploads(PROPOSALS) },
  };
  const docs = answerDocs(random);
  const graphiql = answerGraphiql(graphql, random);
  const authParts = { ...parts, ...tools, store, devices, cookies, ownOrigin, maxMs: lifetime.maxMs };
  const handlers: Record<EndpointId, Middleware> = {
    openRoot: ui === null ? (ctx) => ctx.redirect(DOCS_PATH) : answerUiPage(ui),
    readDocs: docs.html,
    readOpenapi: answerJsonPage(() => rest.printOpenapi(publicUrl())),
    checkAlive: answerAlive,
    checkReady: answerReady(parts.health),
    requestToken: answerToken({ ...parts, quota }),
    openGraphiql: (ctx, next) => refuseQueriesByGet(ctx, async () => graphiql.html(ctx, next)),
    queryGraphql: answerGraphql(graphql, { ...parts, ...tools, checkToken }),
    callMcp: answerMcp({ ...parts, ...tools }),
    readResourceMetadata: answerJsonPage(() => JSON.stringify(buildMetadata(publicUrl(), ""))),
    readMcpMetadata: answerJsonPage(() => JSON.stringify(buildMetadata(publicUrl(), MCP_PATH))),
    ...createNoticeHandlers({ ...parts, quota }),
    ...createDataHubHandlers({ ...parts, ...tools }),
    ...createLoginHandlers(authParts),
    ...createSsoHandlers(authParts),
  };
  const router = new Router<RestContext["state"]>({ sensitive: true, strict: true });
  for (const { method, path, handle } of rest.createRoutes(tools)) {
    router.register(path, [method], (ctx) => handle(ctx, ctx.params));
  }
  for (const [id, { method, path, trailingSlash }] of Object.entries(ENDPOINTS) as [EndpointId, Endpoint][]) {
    router.register(path, [method], handlers[id]);
    if (trailingSlash) router.register(`${path}/`, [method], handlers[id]);
  }
  for (const { path, answer } of [...docs.files, ...graphiql.files]) router.get(path, answer);

  const loginWays = { password: true, sso: parts.sso && { name: parts.sso.name } } as const;
  if (parts.watchers !== null) app.use(observeRequests(router, parts.watchers));
  for (const step of createSteps({ ...parts, openPaths: rest.openPaths, checks, quota, loginWays })) app.use(step);
  app.use(router.routes());
  if (ui !== null) app.use(answerUi(ui));
  app.use(refuseUnmatched);
  return app;
}

function answerJsonPage(print: () => string): Middleware {
  return answerPage(print, { "Content-Type": JSON_TYPE });
}

/** Answers that the process accepts requests. Checks nothing else. */
const answerAlive: Middleware = (ctx) => {
  ctx.set("Content-Type", JSON_TYPE);
  ctx.body = '{"status":"ok"}';
};

/** Answers whether requests can be served: whether both stores answer. A server that stops refuses this like any other. */
function answerReady(health: HttpAppParts["health"]): Middleware {
  return async (ctx, next) => {
    const { status } = await health();
    if (status === "error") throw unavailable("The graph store or the metadata store is down.");
    await answerAlive(ctx, next);
  };
}
