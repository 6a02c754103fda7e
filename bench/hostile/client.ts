/** Sends requests, and reads only the parts of the answers that the report needs. */
import { Agent, type ClientRequest, request } from "node:http";

/** One request of an attack. */
export interface Shot {
  method: "GET" | "POST";
  path: string;
  body?: Buffer;
  /** Headers besides those of every request. */
  headers?: Readonly<Record<string, string>>;
  /** The address of this machine that sends it, such as 127.1.2.3. */
  from?: string;
  /** Sends the body slowly, over this time. */
  bodyTakesMs?: number;
}

export interface Outcome {
  /** 0 if there was no answer. */
  status: number;
  bytes: number;
  ms: number;
  /** The text of the answer, shortened if it is long; or the reason why there is none. */
  text: string;
}

const KEPT_CHARACTERS = 16_384;
/** Longer than the service's time limit for requests. */
const TIMEOUT_MS = 90_000;

export interface Connection {
  origin: string;
  token: string;
  agent: Agent;
}

/**
 * Makes connections that are used again. Without a limit of its own, Node's agent does not heed the Keep-Alive header, and
 * sends requests on connections that the service is just closing.
 */
export function keepAlive(maxSockets = Infinity): Agent {
  return new Agent({ keepAlive: true, maxSockets, timeout: TIMEOUT_MS });
}

/** @param hangUpAfterMs closes the connection this long after the request was sent, answered or not */
export function send(
  { origin, token, agent }: Connection,
  { method, path, body, headers: more, from, bodyTakesMs }: Shot,
  hangUpAfterMs?: number,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const began = performance.now();
    let [status, bytes] = [0, 0];
    const kept: Buffer[] = [];
    const end = (problem?: string): void => {
      const text = problem ?? Buffer.concat(kept).toString().slice(0, KEPT_CHARACTERS);
      resolve({ status, bytes, ms: performance.now() - began, text });
    };
    const { hostname, port } = new URL(origin);
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json", "content-length": body.length }),
      ...more,
    };
    const source = from === undefined ? {} : { localAddress: from };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const options = { hostname, port, agent, method, path, headers, signal, ...source };
    const sent = request(options, (response) => {
      response.on("data", (chunk: Buffer) => {
        if (bytes < KEPT_CHARACTERS) kept.push(chunk);
        bytes += chunk.length;
      });
      response.on("end", () => {
        status = response.statusCode ?? 0;
        end();
      });
      response.on("error", (error) => end(error.message));
    });
    sent.on("error", (error) => end(error.message));
    const onSent = (): void => {
      if (hangUpAfterMs !== undefined) setTimeout(() => sent.destroy(new Error("hung up")), hangUpAfterMs);
    };
    if (body === undefined || bodyTakesMs === undefined) sent.end(body, onSent);
    else trickle(sent, body, bodyTakesMs);
  });
}

const TRICKLE_EVERY_MS = 250;

/** Sends half of the body at once, then the rest byte by byte until the time is over, then everything that is left. */
function trickle(to: ClientRequest, body: Buffer, takesMs: number): void {
  let at = body.length >> 1;
  to.write(body.subarray(0, at));
  const until = performance.now() + takesMs;
  const timer = setInterval(() => {
    if (performance.now() < until && at < body.length - 1) to.write(body.subarray(at, ++at));
    else {
      clearInterval(timer);
      to.end(body.subarray(at));
    }
  }, TRICKLE_EVERY_MS);
  to.once("close", () => clearInterval(timer));
}

/** A GraphQL request. */
export function graphql(query: string, variables?: unknown): Shot {
  return { method: "POST", path: "/graphql", body: Buffer.from(JSON.stringify({ query, variables })) };
}

/** A GraphQL request with variables as JSON text, which may be something that `JSON.stringify` does not produce. */
export function graphqlText(query: string, variables: string): Shot {
  return {
    method: "POST",
    path: "/graphql",
    body: Buffer.from(`{"query":${JSON.stringify(query)},"variables":${variables}}`),
  };
}

export function post(path: string, body: string | Buffer): Shot {
  return { method: "POST", path, body: Buffer.from(body) };
}

export function get(path: string): Shot {
  return { method: "GET", path };
}
