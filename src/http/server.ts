/** The HTTP server below the app. It also answers requests that Node's parser refuses before the app sees them. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type Koa from "koa";
import type { Logger } from "pino";

import type { Clock } from "../clock.ts";
import { AppError, overloaded, unavailable } from "../errors.ts";
import type { SourceFinder } from "../addresses/source-address.ts";
import type { Settings } from "../settings/settings.ts";
import { type ErrorAnswer, toErrorAnswer } from "./answer/error-answer.ts";
import { ALIVE_PATH, READY_PATH } from "./paths.ts";
import type { LockoutGuard } from "./guard/lockout.ts";
import { findRequestId, type ParserError, type Refusal, toParserRefusal } from "./parser-refusal.ts";
import { SECURITY_HEADERS, toTransportHeaders } from "./security-headers.ts";
import { threadProcessorMs } from "../work/usage.ts";
import { isWithin } from "../addresses/allowlist.ts";
import { toNetworkKey } from "../addresses/address.ts";

/** Time limits for slow connections, in milliseconds. */
interface ConnectionTimeouts {
  /** From the connection, or from the first byte of a later request, to the end of the headers. */
  headersMs: number;
  /** How often the limits are checked. */
  checkEveryMs: number;
  /** A whole request, including its body, must have arrived after this time. */
  requestMs: number;
  /** The longest pause while a client reads an answer. */
  stalledMs: number;
  /** A client must have read the whole answer after this time. */
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

/**
 * If requests are read for longer than this without a pause, more come in than the service can answer. In processor time:
 * a machine that is busy with other programs makes everything slow, and no request should fail by that alone.
 */
const MAX_READING_MS = 250;

/** Orchestrators ask these paths. If they removed this server, the overload would get worse. */
const UNSHED: ReadonlySet<string> = new Set([ALIVE_PATH, READY_PATH]);

export interface ServerParts {
  app: Koa;
  lockout: LockoutGuard;
  findSource: SourceFinder;
  log: Logger;
  clock: Clock;
  settings: Pick<Settings, "trustedProxies" | "maxConnectionsPerAddress" | "publicUrl">;
  /** Called for each request that is refused unread. */
  onShed?: () => void;
  /** Processor time of this thread, in milliseconds. */
  processorMs?: () => number;
  /** Tests may shorten these. */
  timeouts?: Partial<ConnectionTimeouts>;
}

export function createHttpServer({ app, settings, processorMs = threadProcessorMs, ...parts }: ServerParts): Server {
  const timeouts = { ...TIMEOUTS, ...parts.timeouts };
  const callback = app.callback();
  const readingMs = createReadingTime(processorMs);
  const transportHeaders = toTransportHeaders(settings.publicUrl);
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    response.setHeaders(new Map(Object.entries(transportHeaders)));
    // A kept-alive connection may bring requests after the server was closed.
    if (!server.listening) {
      sendUnread(response, unavailable("The service is stopping."), { Connection: "close" });
      return;
    }
    request.url = toOriginForm(request.url ?? "/");
    dropUnread(response, timeouts.takenMs);
    if (readingMs() > MAX_READING_MS && !UNSHED.has(request.url)) {
      parts.onShed?.();
      // During an overload, some requests are refused very cheaply, so that the others are answered in time.
      sendUnread(response, overloaded("The service has too much to do at the moment."));
    } else void callback(request, response);
  };
  const options = {
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: timeouts.checkEveryMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Otherwise Node would answer a missing Host itself, without a body. The app answers it with one.
    requireHostHeader: false,
  };
  const server = createServer(options, answer);
  server.timeout = timeouts.stalledMs;
  // The size of headers is limited, so their number need not be. Beyond a number, Node would drop headers silently, for
  // example a second Host.
  server.maxHeadersCount = 0;
  limitConnections(server, { ...parts, ...settings, maxPerAddress: settings.maxConnectionsPerAddress });
  server.on("checkExpectation", answer);
  server.on("clientError", (error: ParserError, socket: Duplex) => {
    if (!socket.writable || error.code === "ECONNRESET") socket.destroy();
    else void refuse(error, socket, { ...parts, transportHeaders });
  });
  return server;
}

/** Answers a request that the app does not see. */
function sendUnread(response: ServerResponse, error: AppError, more: Readonly<Record<string, string>> = {}): void {
  const { status, headers, body } = toWholeAnswer(error, { "X-Request-Id": randomUUID(), ...more });
  response.writeHead(status, headers).end(body);
}

function toWholeAnswer(error: AppError, more: Readonly<Record<string, string>>): ErrorAnswer {
  const { status, headers, body } = toErrorAnswer(error);
  const length = String(Buffer.byteLength(body));
  return { status, headers: { ...SECURITY_HEADERS, ...headers, ...more, "Content-Length": length }, body };
}

/** @returns a function that returns for how long requests have been read since the event loop did anything else */
function createReadingTime(processorMs: () => number): () => number {
  let began: number | undefined;
  return () => {
    if (began === undefined) {
      began = processorMs();
      setImmediate(() => {
        began = undefined;
      });
    }
    return processorMs() - began;
  };
}

/** Disconnects a client that does not read its answer in time. The time begins when the answer is ready. */
function dropUnread(response: ServerResponse, takenMs: number): void {
  response.on("timeout", (socket: Socket) => {
    if (response.writableLength > 0) socket.destroy();
  });
  let overdue: NodeJS.Timeout | undefined;
  const limitTaking = (): void => {
    // The answer to a client that is gone has been closed already.
    if (!response.closed) overdue ??= setTimeout(() => response.destroy(), takenMs);
  };
  // A large answer is piped, and ends only when the client has read it.
  response.once("pipe", limitTaking);
  response.once("prefinish", limitTaking);
  response.once("close", () => clearTimeout(overdue));
}

interface RefusalParts extends Pick<ServerParts, "lockout" | "findSource" | "log"> {
  transportHeaders: Readonly<Record<string, string>>;
}

/** Answers a request that the parser refused. The lockout counts it like any other request. */
async function refuse(parserError: ParserError, socket: Duplex, parts: RefusalParts): Promise<void> {
  // Otherwise the following bytes would be refused and counted again.
  socket.pause();
  const refusal = await judge(toParserRefusal(parserError), socket, parts);
  const requestId = findRequestId(parserError) ?? randomUUID();
  parts.log.info({ requestId, status: refusal.status, reason: parserError.code }, "a request that cannot be parsed");
  socket.end(toRawAnswer(refusal, { ...parts.transportHeaders, "X-Request-Id": requestId }), () => socket.destroy());
}

async function judge(refusal: Refusal, socket: Duplex, { lockout, findSource, log }: RefusalParts) {
  // There are no headers, so behind a proxy the proxy itself is the source.
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

/** The path and query of a target in absolute form (RFC 9112, 3.2.2). Its host does not matter. */
function toOriginForm(target: string): string {
  return target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*\/?/i, "/");
}

function toRawAnswer({ error, status }: Refusal, more: Readonly<Record<string, string>>): string {
  const { headers, body } = toWholeAnswer(error, { ...more, Connection: "close" });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n");
}

const LOG_EVERY_MS = 60_000;

interface ConnectionLimitParts {
  maxPerAddress: number;
  /** CIDRs. The connections of proxies are not counted, because a proxy has many clients. */
  trustedProxies: readonly string[];
  findSource: SourceFinder;
  clock: Clock;
  log: Pick<Logger, "warn">;
}

/** Closes a connection beyond the limit at once, without reading from it. An IPv6 address counts with its whole /64. */
function limitConnections(server: Server, parts: ConnectionLimitParts): void {
  const { maxPerAddress, trustedProxies, findSource } = parts;
  const open = new Map<string, number>();
  const noteRefusal = createRefusalNote(parts);
  // Runs before Node's own listener, which starts the HTTP parser.
  server.prependListener("connection", (socket: Socket) => {
    const source = findSource(socket.remoteAddress, []);
    if (isWithin(source, trustedProxies)) return;
    const key = toNetworkKey(source);
    const others = open.get(key) ?? 0;
    if (others >= maxPerAddress) {
      socket.destroy();
      noteRefusal(source);
      return;
    }
    open.set(key, others + 1);
    socket.once("close", () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left === 0) open.delete(key);
      else open.set(key, left);
    });
  });
}

/** Logs at most one line a minute for all refused addresses together. */
function createRefusalNote({ clock, log }: ConnectionLimitParts): (source: string) => void {
  let refused = 0;
  let loggedAt = -Infinity;
  return (source) => {
    refused += 1;
    const now = clock.steadyMs();
    if (now - loggedAt < LOG_EVERY_MS) return;
    log.warn({ source, refused }, "connections refused: an address holds MAX_CONNECTIONS_PER_ADDRESS of them");
    [refused, loggedAt] = [0, now];
  };
}
