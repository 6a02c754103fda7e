/**
 * Fetches a URL for a connector. Node's own `fetch` connects to any address that a name or a redirect leads to. Here
 * each address is checked just before the connection is made.
 */
import { once } from "node:events";
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { pipeline, Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";

import { FetchFailure } from "./connection-fault.ts";
import { mayBeSentInClear, type SourceAddresses } from "./source-addresses.ts";

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);
/** Answers that have no body (RFC 9110, 6.4.1). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** The answer is larger than permitted, by its `Content-Length` or by the bytes received. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";
}

function badRedirect(why: string): FetchFailure {
  return new FetchFailure({ code: "bad_redirect", why });
}

export interface SourceRequest {
  /** Headers that are secrets, such as `authorization`. They are sent only to the origin of the URL. */
  secrets: Readonly<Record<string, string>>;
  /** JSON to post. It counts as a secret. A redirect of it is refused. Absent: the request is a GET. */
  body?: string;
  /** Whether a redirect to another origin is refused. Default: it is followed without the secrets. */
  staysAtOrigin?: boolean;
  /** Default: true. Otherwise a redirect is an answer like any other. */
  followsRedirects?: boolean;
  /** Keeps connections open between requests. Default: each request has a new connection. */
  agent?: Agent;
  /** Hosts that secrets may be sent to over http, besides this machine. */
  insecureHosts: readonly string[];
  addresses: SourceAddresses;
  /** The limit for the body, compressed or not. */
  maxBytes: number;
  signal: AbortSignal;
}

/**
 * @returns the answer with any status. Its body is decompressed while it is read.
 * @throws FetchFailure, TooLarge, or the connection's error
 */
export async function fetchSource(from: URL, request: SourceRequest): Promise<Response> {
  const { body, staysAtOrigin = false, followsRedirects = true } = request;
  let url = from;
  let { secrets } = request;
  for (let redirects = 0; ; redirects++) {
    const answer = await ask(url, { ...request, secrets });
    const { location } = answer.headers;
    const isRedirect = REDIRECTS.has(answer.statusCode) && location !== undefined;
    if (!isRedirect || !followsRedirects) return toResponse(answer, request);
    // The body of a redirect is not needed, and it may never end.
    answer.destroy();
    if (redirects === MAX_REDIRECTS) throw badRedirect(`redirects more than ${MAX_REDIRECTS} times`);
    const next = toTarget(location, url);
    if (body !== undefined) throw badRedirect("redirects what is posted to it");
    if (next.origin !== url.origin) {
      if (staysAtOrigin) throw badRedirect("redirects to another address");
      // After another origin, the secrets are never sent again, because that origin chose the next URL.
      secrets = {};
    }
    url = next;
  }
}

/** @returns the first bytes of the body as text, or what came of them before it broke off: the status says enough */
export async function readBeginning({ body }: Response, maxBytes: number): Promise<string> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  try {
    for (let left = maxBytes; left > 0; left -= chunks.at(-1)?.length ?? 0) {
      const { value } = (await reader?.read()) ?? {};
      if (value === undefined) break;
      chunks.push(value.subarray(0, left));
    }
  } catch {
    // The status is known, and that decides.
  } finally {
    void reader?.cancel().catch(() => {});
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Sends one request. */
async function ask(
  url: URL,
  { secrets, body, agent, addresses, insecureHosts, signal }: SourceRequest,
): Promise<IncomingMessage> {
  addresses.check(url);
  const isSecret = body !== undefined || Object.keys(secrets).length > 0;
  if (isSecret && url.protocol !== "https:" && !mayBeSentInClear(url.hostname, insecureHosts)) {
    const why =
      "is at an http address, where others could read the token: use https, or list the host in INSECURE_HOSTS";
    throw new FetchFailure({ code: "insecure_source", why });
  }
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const method = body === undefined ? "GET" : "POST";
  const headers = {
    accept: "application/json, */*",
    "accept-encoding": ACCEPTED_ENCODINGS,
    "user-agent": "tributary",
    ...(body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    ...secrets,
  };
  const sent = request(url, { method, headers, signal, lookup: addresses.lookup, agent: agent ?? false }).end(body);
  const [answer]: IncomingMessage[] = await once(sent, "response");
  // Later errors are reported by the answer's body.
  sent.on("error", () => {});
  if (answer === undefined) throw new TypeError("a response event has its response");
  return answer;
}

/** @throws FetchFailure if the target is not an http(s) URL, or leads from https to http */
export function toTarget(location: string, from: URL): URL {
  const target = URL.parse(location, from);
  if (target === null || (target.protocol !== "https:" && target.protocol !== "http:")) {
    throw badRedirect("redirects to something that is not an http(s) URL");
  }
  if (from.protocol === "https:" && target.protocol === "http:") throw badRedirect("redirects from https to http");
  return target;
}

function toResponse(answer: IncomingMessage, { maxBytes }: Pick<SourceRequest, "maxBytes">): Response {
  try {
    const { statusCode: status = 0, headers } = answer;
    if (Number(headers["content-length"]) > maxBytes) throw new TooLarge();
    const init = { status, headers: keptHeaders(headers) };
    if (!WITHOUT_BODY.has(status)) {
      const unpacked = unpack(answer, maxBytes, headers["content-encoding"]);
      // At run time this is one class. Only Node's and the DOM's types for it differ.
      return new Response(Readable.toWeb(unpacked) as ReadableStream<Uint8Array>, init);
    }
    answer.destroy();
    return new Response(null, init);
  } catch (error) {
    answer.destroy();
    throw error;
  }
}

/** Those that are needed to read the answer. */
const KEPT = ["content-type", "retry-after", "x-amz-bucket-region"];

function keptHeaders(headers: IncomingHttpHeaders): [string, string][] {
  return KEPT.flatMap((name) => {
    const value = headers[name];
    return typeof value === "string" ? [[name, value] as [string, string]] : [];
  });
}

/** Counts bytes. Compressed ones need a limit of their own, because they may decompress to nothing for ever. */
function atMost(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(new TooLarge());
      else done(null, chunk);
    },
  });
}

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
  ["zstd", createZstdDecompress],
]);

/** The value of `Accept-Encoding` in requests. */
const ACCEPTED_ENCODINGS = "gzip, deflate, br, zstd";

/**
 * @param encoding the header's value
 * @returns the decompressed body. If the compressed body fails, this one fails too; destroying it destroys both.
 * @throws FetchFailure if the encoding is not one of the accepted ones, or there are several
 */
function unpack(body: Readable, maxBytes: number, encoding = ""): Readable {
  const name = encoding.trim().toLowerCase();
  if (name === "" || name === "identity") return pipeline(body, atMost(maxBytes), () => {});
  const decoder = DECODERS.get(name)?.();
  if (decoder === undefined) {
    const why = `has an unknown compression (Content-Encoding: ${name})`;
    throw new FetchFailure({ code: "unknown_encoding", why });
  }
  return pipeline(body, atMost(maxBytes), decoder, atMost(maxBytes), () => {});
}
