/** Sends requests to a server, and tells refusals, faults and cut connections apart. */
import type { Member } from "./cluster.ts";

export type Outcome =
  /** The request succeeded. */
  | "ok"
  /** 401 or 403. */
  | "denied"
  /** 429. */
  | "limited"
  /** 503 with `Retry-After`. */
  | "unavailable"
  /** The server was killed while it had the request. */
  | "cut"
  /** Anything else. */
  | "fault";

export interface Answer {
  outcome: Outcome;
  /** The status. Zero if there was no answer. */
  status: number;
  ms: number;
  // The bench reads bodies of every form.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  /** The fault. */
  fault?: string;
}

export interface Client {
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  /** @returns an answer with the data as its body */
  query(query: string, variables?: Record<string, unknown>): Promise<Answer>;
}

const TIMEOUT_MS = 60_000;

/** @param onAnswer called with each answer before the caller gets it */
export function createClient(
  { key, choose }: { key: string; choose: () => Member },
  onAnswer: (answer: Answer, what: string) => void = () => {},
): Client {
  async function ask(what: string, path: string, init: RequestInit): Promise<Answer> {
    const server = choose();
    const { cuts } = server;
    const began = performance.now();
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const answer = await fetch(`${server.url}${path}`, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
      .then(async (response) => read(response, await response.text()))
      .catch((error: unknown) => ({
        outcome: server.cuts > cuts ? ("cut" as const) : ("fault" as const),
        status: 0,
        body: null,
        fault: `${server.name}: ${String(error instanceof Error ? (error.cause ?? error) : error)}`,
      }));
    const timed = { ...answer, ms: performance.now() - began };
    onAnswer(timed, what);
    return timed;
  }
  const withBody = (what: string, path: string, body: unknown): Promise<Answer> =>
    ask(what, path, { method: "POST", body: JSON.stringify(body) });
  return {
    get: (path) => ask(`GET ${path.split("?", 1)[0]?.replace(/[0-9a-f]{32}/, "ID")}`, path, {}),
    post: (path, body) => withBody(`POST ${path}`, path, body),
    async query(query, variables = {}) {
      const answer = await withBody(`GraphQL ${/{ (\w+)/.exec(query)?.[1]}`, "/graphql", { query, variables });
      return answer.outcome === "ok" ? { ...answer, body: answer.body.data } : answer;
    },
  };
}

function read(response: Response, text: string): Omit<Answer, "ms"> {
  const { status } = response;
  const body: { errors?: { message: string; extensions?: { code?: string } }[] } | null =
    text === "" ? null : JSON.parse(text);
  const refused = body?.errors?.[0];
  if (response.ok && refused === undefined) return { outcome: "ok", status, body };
  if (status === 429) return { outcome: "limited", status, body };
  if (status === 401 || status === 403) return { outcome: "denied", status, body };
  const isAway = status === 503 || refused?.extensions?.code === "UNAVAILABLE";
  if (isAway && (status === 200 || response.headers.has("Retry-After")))
    return { outcome: "unavailable", status, body };
  return { outcome: "fault", status, body, fault: `${status} ${text.slice(0, 300)}` };
}
