/**
 * Fetches a URL for a connector. The platform's own `fetch` would connect to whatever address a name or a redirect
 * leads to; here each connection goes to an address that was judged just before.
 */
import { once } from "node:events";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { pipeline, Readable, Transform } from "node:stream";

import { isLoopback, withoutBrackets } from "../../limits/loopback.ts";
import type { SourceAddresses } from "./source-addresses.ts";
import { ACCEPTED_ENCODINGS, unpack } from "./unpack.ts";

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);
/** Answers that have no body (RFC 9110, 6.4.1). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** A redirect that is not followed; the message is the rest of a sentence about the URL. */
export class BadRedirect extends Error {
  override readonly name = "BadRedirect";
}

/** An answer of more bytes, packed or as announced, than there may be. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";
}

/** An address where a token would pass the network in clear. */
export class InsecureSource extends Error {
  override readonly name = "InsecureSource";
}

export interface SourceRequest {
  /** Sent as a bearer token to the origin of the URL alone. */
  token: string | undefined;
  /** Hosts that the token may be sent to over http, besides this machine. */
  insecureHosts: readonly string[];
  addresses: SourceAddresses;
  /** Of the body as it is sent. */
  maxBytes: number;
  signal: AbortSignal;
}

/**
 * @returns the answer, whatever its status, with its body unpacked as it is read
 * @throws PrivateAddress, InsecureSource, BadRedirect, TooLarge, UnknownEncoding, or what the connection failed by
 */
export async function fetchSource(from: URL, { token, ...rest }: SourceRequest): Promise<Response> {
  let url = from;
  let shown = token;
  for (let redirects = 0; ; redirects++) {
    const answer = await ask(url, shown, rest);
    if (!REDIRECTS.has(answer.statusCode) || answer.headers.location === undefined) return toResponse(answer, rest);
    // Nobody needs its body, which may have no end.
    answer.destroy();
    if (redirects === MAX_REDIRECTS) throw new BadRedirect(`redirects more than ${MAX_REDIRECTS} times`);
    const next = toTarget(answer.headers.location, url);
    // A token that was once held back does not come back: the other origin chose where the way goes on.
    if (next.origin !== url.origin) shown = undefined;
    url = next;
  }
}

/** One request on a connection of its own. */
async function ask(
  url: URL,
  token: string | undefined,
  { addresses, insecureHosts, signal }: Pick<SourceRequest, "addresses" | "insecureHosts" | "signal">,
): Promise<IncomingMessage> {
  addresses.check(url);
  if (token !== undefined && !mayCarryToken(url, insecureHosts)) throw new InsecureSource();
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const headers = {
    accept: "application/json, */*",
    "accept-encoding": ACCEPTED_ENCODINGS,
    "user-agent": "tributary",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const sent = request(url, { headers, signal, lookup: addresses.lookup, agent: false }).end();
  const [answer]: IncomingMessage[] = await once(sent, "response");
  // What breaks later is told by the answer's body.
  sent.on("error", () => {});
  if (answer === undefined) throw new TypeError("a response event has its response");
  return answer;
}

function mayCarryToken({ protocol, hostname }: URL, insecureHosts: readonly string[]): boolean {
  if (protocol === "https:" || isLoopback(hostname)) return true;
  // A URL's host is in lower case already.
  return insecureHosts.some((host) => host.toLowerCase() === withoutBrackets(hostname));
}

/** @throws BadRedirect for what is no http(s) URL, or would leave https */
export function toTarget(location: string, from: URL): URL {
  const target = URL.parse(location, from);
  if (target === null || (target.protocol !== "https:" && target.protocol !== "http:")) {
    throw new BadRedirect("redirects to what is no http(s) URL");
  }
  if (from.protocol === "https:" && target.protocol === "http:") throw new BadRedirect("redirects from https to http");
  return target;
}

function toResponse(answer: IncomingMessage, { maxBytes }: Pick<SourceRequest, "maxBytes">): Response {
  try {
    const { statusCode: status = 0, headers } = answer;
    if (Number(headers["content-length"]) > maxBytes) throw new TooLarge();
    const init = { status, headers: { "content-type": headers["content-type"] ?? "" } };
    if (!WITHOUT_BODY.has(status)) {
      const counted = pipeline(answer, atMost(maxBytes), () => {});
      // One class at run time, of which Node's types and the DOM's differ.
      const body = Readable.toWeb(unpack(counted, headers["content-encoding"])) as ReadableStream<Uint8Array>;
      return new Response(body, init);
    }
    answer.destroy();
    return new Response(null, init);
  } catch (error) {
    answer.destroy();
    throw error;
  }
}

/** Packed data may say nothing for ever, so that it is counted as well as what comes out of it. */
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
