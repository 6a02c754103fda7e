/** The HTTP server under the app, which also answers what Node's parser refuses before the app sees it. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";

import type Koa from "koa";
import type { Logger } from "pino";

import { AppError, unavailable } from "../errors.ts";
import type { SourceFinder } from "../limits/source-address.ts";
import { toErrorBody, toErrorHeaders } from "./error-answer.ts";
import type { LockoutGuard } from "./guard/lockout.ts";
import { type ParserError, type Refusal, toParserRefusal } from "./parser-refusal.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";

/** A request, body included, must have arrived by then. */
const REQUEST_TIMEOUT_MS = 60_000;

export interface ServerParts {
  app: Koa;
  lockout: LockoutGuard;
  findSource: SourceFinder;
  log: Logger;
}

export function createHttpServer({ app, ...parts }: ServerParts): Server {
  const callback = app.callback();
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    // A connection that was kept alive brings requests after the server closed.
    if (!server.listening) {
      refuseAtTheEnd(response);
      return;
    }
    request.url = toOriginForm(request.url ?? "/");
    void callback(request, response);
  };
  // Node itself would answer a missing Host, and an unknown expectation, without a body; the app has one.
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, requireHostHeader: false }, answer);
  server.on("checkExpectation", answer);
  server.on("clientError", (error: ParserError, socket: Duplex) => {
    if (!socket.writable || error.code === "ECONNRESET") socket.destroy();
    else void refuse(error, socket, parts);
  });
  return server;
}

/** The stores are being closed; what is asked from now on is for the next server. */
function refuseAtTheEnd(response: ServerResponse): void {
  const error = unavailable("The service is stopping.");
  const body = toErrorBody(error);
  response.writeHead(error.status, {
    ...SECURITY_HEADERS,
    ...toErrorHeaders(error),
    "X-Request-Id": randomUUID(),
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
  });
  response.end(body);
}

/** Answers what the parser refused, which is judged by the lockout as any other request is. */
async function refuse(parserError: ParserError, socket: Duplex, parts: Omit<ServerParts, "app">): Promise<void> {
  // What comes after would be refused, and counted, once more.
  socket.pause();
  const refusal = await judge(toParserRefusal(parserError), socket, parts);
  socket.end(toRawAnswer(refusal), () => socket.destroy());
}

async function judge(refusal: Refusal, socket: Duplex, { lockout, findSource, log }: Omit<ServerParts, "app">) {
  // There are no headers to go by, so that behind a proxy the proxy itself is the source.
  const source = findSource(socket instanceof Socket ? socket.remoteAddress : undefined, []);
  try {
    await lockout.refuseBlocked(source);
    if (refusal.status === 401) await lockout.noteFailure(source);
  } catch (error) {
    if (error instanceof AppError) return { error, status: error.status };
    log.error({ err: error }, "unexpected error");
  }
  return refusal;
}

/** A target in absolute form (RFC 9112, 3.2.2) as its path and query: which host it names, or tries to, is no matter. */
function toOriginForm(target: string): string {
  return target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*\/?/i, "/");
}

function toRawAnswer({ error, status }: Refusal): string {
  const body = toErrorBody(error);
  const headers = {
    ...SECURITY_HEADERS,
    ...toErrorHeaders(error),
    "X-Request-Id": randomUUID(),
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n");
}
