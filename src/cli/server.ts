/** Sends requests of the command line to a service elsewhere. */
import { z } from "zod";

import { AppError, badField, type ErrorCode, HTTP_STATUS } from "../errors.ts";
import { isLoopback } from "../addresses/loopback.ts";

export interface ServerOptions {
  /** The service's http or https URL. */
  server: string;
  token: string;
  /** Whether the token may be sent over a network without encryption. */
  allowHttp: boolean;
}

const refusal = z.object({ error: z.string(), message: z.string() });
/** Longer than the time limit of any request. */
const PATIENCE_MS = 65 * 60_000;

/** @throws AppError `bad_request` if the URL is not valid, or the token would be sent to it without encryption */
export function toAddress({ server, allowHttp }: Omit<ServerOptions, "token">, path: string): URL {
  const base = URL.parse(server);
  if (base === null || !/^https?:$/.test(base.protocol) || base.username !== "" || base.password !== "") {
    throw badField("server", "must be a URL such as https://tributary.example.com, without credentials");
  }
  if (base.protocol === "http:" && !allowHttp && !isLoopback(base.hostname)) {
    throw badField(
      "server",
      "would get the token without encryption: use https, or --allow-http in a network that you trust",
    );
  }
  return new URL(`${base.origin}${base.pathname.replace(/\/+$/, "")}${path}`);
}

interface Posted {
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer>;
  /** Breaks the request off. */
  signal?: AbortSignal | undefined;
}

/** @throws AppError `unavailable` if the service does not answer, its answer is incomplete, or the signal aborts */
export async function post(
  url: URL,
  token: string,
  { headers, body, signal }: Posted,
): Promise<{ response: Response; text: string }> {
  const response = await send(url, {
    method: "POST",
    headers: { ...headers, Authorization: `Bearer ${token}` },
    body,
    // Redirects are not followed, so the token goes only to this service.
    redirect: "manual",
    signal: AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), ...(signal === undefined ? [] : [signal])]),
  });
  const text = await response.text().catch((error: unknown) => {
    throw new AppError("unavailable", `${url.origin} broke off its answer.`, { cause: error });
  });
  return { response, text };
}

async function send(url: URL, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    throw new AppError("unavailable", `${url.origin} cannot be reached${code}.`, { cause: error });
  }
}

/** Converts an error answer. If it comes from Tributary, the message contains the service's own. */
export function toRefusal({ origin }: URL, response: Response, text: string): AppError {
  const { status } = response;
  const error = refusal.safeParse(parseOrNull(text)).data;
  const again = toRetryAfter(response);
  if (error === undefined || !isCode(error.error)) {
    const where = status >= 300 && status < 400 ? " It redirects to another URL, to which the token is not sent." : "";
    return new AppError("unavailable", `${origin} answers ${status}, but not as Tributary does.${where}`, again);
  }
  const later = again === undefined ? "" : ` Try again in ${again.retryAfterSeconds} seconds.`;
  return new AppError(error.error, `${origin} answers ${status} ${error.error}: ${error.message}${later}`, again);
}

/** The seconds of a `Retry-After`, as an option of an error. Undefined if there is none, or it is a date. */
export function toRetryAfter({ headers }: Pick<Response, "headers">): { retryAfterSeconds: number } | undefined {
  const seconds = headers.get("Retry-After") ?? "";
  return /^\d{1,9}$/.test(seconds) ? { retryAfterSeconds: Number(seconds) } : undefined;
}

export function isCode(text: string): text is ErrorCode {
  return Object.hasOwn(HTTP_STATUS, text);
}

export function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
