/** The HTTP server under the app, which also answers what Node's parser refuses before the app sees it. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

import type Koa from "koa";

import { toErrorBody, toErrorHeaders } from "./error-answer.ts";
import { type ParserError, toParserRefusal } from "./parser-refusal.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";

/** A request, body included, must have arrived by then. */
const REQUEST_TIMEOUT_MS = 60_000;

export function createHttpServer(app: Koa): Server {
  const callback = app.callback();
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    request.url = toOriginForm(request.url ?? "/");
    void callback(request, response);
  };
  // Node itself would answer a missing Host, and an unknown expectation, without a body; the app has one.
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, requireHostHeader: false }, answer);
  server.on("checkExpectation", answer);
  server.on("clientError", (error: ParserError, socket: Duplex) => {
    if (!socket.writable || error.code === "ECONNRESET") socket.destroy();
    else socket.end(toRawAnswer(error), () => socket.destroy());
  });
  return server;
}

/** A target in absolute form (RFC 9112, 3.2.2) as its path and query: which host it names, or tries to, is no matter. */
function toOriginForm(target: string): string {
  return target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*\/?/i, "/");
}

function toRawAnswer(parserError: ParserError): string {
  const { error, status } = toParserRefusal(parserError);
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
