/** The HTTP server with a test's own answers. */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

import Koa from "koa";
import { type Logger, pino } from "pino";
import { onTestFinished } from "vitest";

import { systemClock } from "../../src/clock.ts";
import { createMemoryLockout } from "../../src/limits/memory/lockout.ts";
import { createSourceFinder } from "../../src/addresses/source-address.ts";
import { answerErrors, logFailedResponse, toErrorAnswer } from "../../src/http/answer/error-answer.ts";
import { createLockoutGuard } from "../../src/http/guard/lockout.ts";
import { openScope } from "../../src/http/request-scope.ts";
import { createHttpServer, type ServerParts } from "../../src/http/server.ts";
import { createEventLoopScheduler } from "../../src/work/event-loop-scheduler.ts";
import type { Middleware } from "../../src/http/state.ts";

const silent = pino({ level: "silent" });
const findSource = createSourceFinder([], silent);
const notAsked = () => Promise.reject(new Error("not asked here"));

/** A server whose every answer the test gives. It ends with the test. */
export async function serve(
  answer: Middleware,
  { log = silent, ...parts }: Pick<ServerParts, "processorMs" | "timeouts"> & { log?: Logger } = {},
): Promise<string> {
  const app = new Koa();
  app.on("error", logFailedResponse(log));
  app.use(openScope({ findSource, turns: createEventLoopScheduler() }));
  app.use(answerErrors(log, () => toErrorAnswer));
  app.use(answer);
  const server: Server = createHttpServer({
    app,
    lockout: createLockoutGuard({
      lockout: createMemoryLockout({ clock: systemClock, blockMs: 60_000 }),
      refusals: { noteRefusal: notAsked, noteSsoRefusal: notAsked, noteLockout: notAsked },
      log,
    }),
    findSource,
    log,
    clock: systemClock,
    settings: { trustedProxies: [], maxConnectionsPerAddress: 100, publicUrl: null },
    ...parts,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
