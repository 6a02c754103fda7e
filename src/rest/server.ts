/** The HTTP server under the app, which also answers what Node's parser refuses before the app sees it. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";

import type Koa from "koa";
import type { Logger } from "pino";

import type { Clock } from "../clock.ts";
import { AppError, overloaded, unavailable } from "../errors.ts";
import type { SourceFinder } from "../limits/source-address.ts";
import type { Settings } from "../settings.ts";
import { limitConnections } from "./connection-limit.ts";
import { toErrorBody, toErrorHeaders } from "./error-answer.ts";
import { ALIVE_PATH } from "./guard/access.ts";
import type { LockoutGuard } from "./guard/lockout.ts";
import { type ParserError, type Refusal, toParserRefusal } from "./parser-refusal.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";

/** How long a connection may keep others waiting, in milliseconds. */
interface ConnectionTimeouts {
  /** From the connection, or from the first byte of a later request, to the end of the headers. */
  headersMs: number;
  /** How often that is looked at. */
  checkEveryMs: number;
  /** A request, body included, must have arrived by then. */
  requestMs: number;
  /** The longest pause while an answer is being taken. */
  stalledMs: number;
  /** A whole answer must have been taken by then. */
  takenMs: number;
}

const TIMEOUTS: ConnectionTimeouts = {
  headersMs: 10_000,
  checkEveryMs: 1_000,
  requestMs: 60_000,
  stalledMs: 30_000,
  takenMs: 300_000,
};

const MAX_HEADER_BYTES = 16 * 1024;

/** Requests that are read in one go for longer than this are more than the service can answer. */
const MAX_READING_MS = 250;

export interface ServerParts {
  app: Koa;
  lockout: LockoutGuard;
  findSource: SourceFinder;
  log: Logger;
  clock: Clock;
  settings: Pick<Settings, "trustedProxies" | "maxConnectionsPerAddress">;
  /** Milliseconds since no particular moment. */
  nowMs?: () => number;
  /** What a test may shorten. */
  timeouts?: Partial<ConnectionTimeouts>;
}

export function createHttpServer({ app, settings, nowMs = () => performance.now(), ...parts }: ServerParts): Server {
  const timeouts = { ...TIMEOUTS, ...parts.timeouts };
  const callback = app.callback();
  const readingMs = createReadingTime(nowMs);
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    // A connection that was kept alive brings requests after the server closed.
    if (!server.listening) {
      refuseAtTheEnd(response);
      return;
    }
    request.url = toOriginForm(request.url ?? "/");
    dropUnread(response, timeouts.takenMs);
    if (readingMs() > MAX_READING_MS && request.url !== ALIVE_PATH) shed(response);
    else void callback(request, response);
  };
  const options = {
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: timeouts.checkEveryMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Node itself would answer a missing Host, and an unknown expectation, without a body; the app has one.
    requireHostHeader: false,
  };
  const server = createServer(options, answer);
  server.timeout = timeouts.stalledMs;
  // Their bytes bound them. Past a count, Node would drop headers unseen, a second Host among them.
  server.maxHeadersCount = 0;
  limitConnections(server, { ...parts, ...settings, maxPerAddress: settings.maxConnectionsPerAddress });
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

/** @returns a function that tells for how long requests have been read since the event loop last did anything else */
function createReadingTime(nowMs: () => number): () => number {
  let began: number | undefined;
  return () => {
    if (began === undefined) {
      began = nowMs();
      setImmediate(() => {
        began = undefined;
      });
    }
    return nowMs() - began;
  };
}

/**
 * Answers at a fraction of what any other answer costs. Whoever would have waited longest is refused, so that the others
 * are answered in good time, and all are again as soon as there is less to do.
 */
function shed(response: ServerResponse): void {
  const error = overloaded("The service has too much to do at the moment.");
  const headers = { ...SECURITY_HEADERS, ...toErrorHeaders(error), "X-Request-Id": randomUUID() };
  response.writeHead(error.status, headers).end(toErrorBody(error));
}

/** Lets a client go that does not take its answer; one whose answer is still being made waits as long as it likes. */
function dropUnread(response: ServerResponse, takenMs: number): void {
  response.on("timeout", (socket: Socket) => {
    if (response.writableLength > 0) socket.destroy();
  });
  let overdue: NodeJS.Timeout | undefined;
  const limitTaking = (): void => {
    overdue ??= setTimeout(() => response.destroy(), takenMs);
  };
  // A large answer is piped, and comes to its end as late as the client likes.
  response.once("pipe", limitTaking);
  response.once("prefinish", limitTaking);
  response.once("close", () => clearTimeout(overdue));
}

type RefusalParts = Pick<ServerParts, "lockout" | "findSource" | "log">;

/** Answers what the parser refused, which is judged by the lockout as any other request is. */
async function refuse(parserError: ParserError, socket: Duplex, parts: RefusalParts): Promise<void> {
  // What comes after would be refused, and counted, once more.
  socket.pause();
  const refusal = await judge(toParserRefusal(parserError), socket, parts);
  socket.end(toRawAnswer(refusal), () => socket.destroy());
}

async function judge(refusal: Refusal, socket: Duplex, { lockout, findSource, log }: RefusalParts) {
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
