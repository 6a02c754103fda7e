/** The server: the services and the HTTP server on top of them. Starts and stops them. */
import type { Logger } from "pino";

import packageJson from "../package.json" with { type: "json" };
import { issueAccessToken } from "./auth/access-tokens.ts";
import { createAuthenticator } from "./auth/bearer.ts";
import { createLastUsed } from "./auth/last-used.ts";
import { createSessionAuthenticator } from "./auth/sessions/authenticate.ts";
import { type Clock, type Countdown, type RandomBytes, systemClock, systemCountdown, systemRandom } from "./clock.ts";
import { noteServerUrl } from "./data-folder/server-url.ts";
import { loadOperations } from "./graphql/operations.ts";
import { createOperationRunner } from "./graphql/run-operation.ts";
import { schema } from "./graphql/schema.ts";
import { createGraphqlHandler } from "./graphql/yoga.ts";
import { createListener } from "./http/listener.ts";
import { createSourceFinder } from "./addresses/source-address.ts";
import { createLog } from "./telemetry/log.ts";
import { openFeed } from "./notices/feed.ts";
import { createHttpApp } from "./http/app.ts";
import { createEventStreams } from "./http/answer/events.ts";
import { createLockoutGuard } from "./http/guard/lockout.ts";
import { createHttpServer } from "./http/server.ts";
import type { Ui } from "./http/ui.ts";
import { createRestApi } from "./rest/rest-api.ts";
import { createClosing, openProcess } from "./open-process.ts";
import { startWork } from "./services.ts";
import type { Settings } from "./settings/settings.ts";
import type { SqlLineage } from "./sql-lineage/thread.ts";
import { isShared } from "./stores.ts";

/** Parts that a caller may replace. */
export interface Overrides {
  clock?: Clock;
  random?: RandomBytes;
  log?: Logger;
  /** Returns a signal that aborts after this many milliseconds. */
  deadline?: (ms: number) => AbortSignal;
  countdown?: Countdown;
  /** The workspace UI; null to run without it. */
  ui?: Ui | null;
  /** Reads SQL, and is not closed with the app. */
  sqlLineage?: Pick<SqlLineage, "resolve">;
}

export type App = Awaited<ReturnType<typeof createApp>>;

/**
 * Opens everything. No request is served before `listen`.
 * @throws AppError `unavailable` if the data folder or a store cannot be used, or another server uses them
 */
export async function createApp(settings: Settings, overrides: Overrides = {}) {
  const { clock = systemClock, random = systemRandom, log = createLog(settings.logLevel) } = overrides;
  const { deadline = (ms) => AbortSignal.timeout(ms), countdown = systemCountdown, ui = null } = overrides;
  await using opened = createClosing();
  const { folder, services, telemetry, metricsServer } = await openProcess(
    {
      settings,
      clock,
      random,
      log,
      deadline,
      countdown,
      works: settings.serverWorks,
      sharesLimits: true,
      ...(overrides.sqlLineage && { sqlLineage: overrides.sqlLineage }),
      publicUrl: () => listener.url(),
    },
    opened,
  );
  const { metadata, graph, connected, queue, syncs, receiver, turns, refusals } = services;
  const { metrics, tracer } = telemetry;
  const lastUsed = createLastUsed({ store: metadata, clock, log });
  opened.whenClosed("the keys' last use", () => lastUsed.flush());

  const operations = loadOperations();
  const runner = createOperationRunner(schema, services, operations);
  const { maxAnswerBytes, requestSeconds } = settings;
  const findSource = createSourceFinder(settings.trustedProxies, log);
  const { rateLimiter, lockouts } = services.counts;
  const lockout = createLockoutGuard({ lockout: lockouts.authentication, refusals, log });
  const events = createEventStreams({ countdown, turns, maxAnswerBytes });
  const rest = createRestApi({ schema, operations, runner, refusals, version: packageJson.version });
  const httpApp = createHttpApp({
    rest,
    operations,
    runner,
    graphql: createGraphqlHandler(schema, services, runner.run),
    refusals,
    findSource,
    countdown,
    requestSeconds,
    turns,
    events,
    maxAnswerBytes,
    lockout,
    limiter: rateLimiter,
    authenticator: createAuthenticator({ store: metadata, clock, noteUse: lastUsed.note }),
    sessions: createSessionAuthenticator({ ...services.auth, lifetime: services.logins.lifetime, log }),
    logins: services.logins,
    sso: services.sso,
    unsubscribe: services.noticeRules.unsubscribe,
    openFeed: (address) => openFeed(services.noticeRules, address),
    health: services.health,
    watchers:
      metrics === null && tracer === null
        ? null
        : { noteRequest: metrics && metrics.noteRequest, traceRequest: tracer && tracer.traceRequest },
    hasPublicUrl: settings.publicUrl !== null,
    issueToken: (request, admit) => issueAccessToken(services.auth, request, admit),
    log,
    publicUrl: () => listener.url(),
    ui,
  });
  const onShed = (): void => metrics?.noteShed();
  const server = createHttpServer({ app: httpApp, lockout, findSource, log, clock, settings, onShed });
  const listener = createListener(server, settings);
  // At the same time: crawls need not wait for slow requests before they go back to the queue.
  opened.togetherWhenClosed({
    requests() {
      // They would go on for minutes.
      events.endAll();
      return listener.close();
    },
    crawls: () => queue.stop(),
  });

  async function startServing(): Promise<void> {
    if (settings.serverWorks) return startWork(services);
    await connected;
    receiver.start();
  }

  let metricsUrl: string | null = null;
  let forgetUrl: (() => void) | null = null;
  opened.whenClosed("the note of the address", () => forgetUrl?.());
  const { closing } = opened;
  return {
    settings,
    clock,
    random,
    metadata,
    graph,
    /**
     * Resolves when both stores can be used. A store on another machine may start later; requests are refused until then.
     * Rejects with `UnusableStore` if waiting does not help.
     */
    connected,
    logins: services.logins,
    /** Where metrics are read, after `listen`. Null: nowhere. */
    metricsUrl: () => metricsUrl,
    queue,
    notices: services.notices,
    syncs,
    receiver,
    /**
     * Accepts requests, and runs queued syncs when the stores can be used. Returns the origin at which clients reach it.
     */
    async listen(): Promise<string> {
      const url = await listener.listen();
      // Several servers may share the folder.
      if (!isShared(settings)) forgetUrl = noteServerUrl(folder, url);
      metricsUrl = metricsServer && (await metricsServer.listen());
      // A caller that awaits `connected` gets the error.
      startServing().catch(() => {});
      return url;
    },
    /** Finishes the running requests, puts running syncs back into the queue, and closes everything. */
    close: opened.keep(),
    /** The names of the parts for which `close` is waiting. */
    closing,
  };
}
