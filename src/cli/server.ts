/** Sends requests of the command line to a service elsewhere. */
import { z } from "zod";

import { excerpt } from "../characters.ts";
import { AppError, badField, type ErrorCode, HTTP_STATUS, unavailable } from "../errors.ts";
import { isLoopback } from "../limits/loopback.ts";

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

/** @throws AppError `unavailable` if the service does not answer, or its answer is incomplete */
export async function post(
  url: URL,
  token: string,
  request: { headers: Record<string, string>; body: string | Uint8Array<ArrayBuffer> },
): Promise<{ response: Response; text: string }> {
  const response = await send(url, {
    method: "POST",
    headers: { ...request.headers, Authorization: `Bearer ${token}` },
    body: request.body,
    // Redirects are not followed, so the token goes only to this service.
    redirect: "manual",
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await response.text().catch((error: unknown) => {
    throw unavailable(`${url.origin} broke off its answer.`, error);
  });
  return { response, text };
}

async function send(url: URL, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    throw unavailable(`${url.origin} cannot be reached${code}.`, error);
  }
}

/** Converts an error answer. If it comes from Tributary, the message contains the service's own. */
export function toRefusal({ origin }: URL, { status, headers }: Response, text: string): AppError {
  const error = refusal.safeParse(parseOrNull(text)).data;
  if (error === undefined || !isCode(error.error)) {
    const where = status >= 300 && status < 400 ? " It redirects to another URL, to which the token is not sent." : "";
    return unavailable(`${origin} answers ${status}, but not as Tributary does.${where}`);
  }
  const seconds = headers.get("Retry-After");
  const later = seconds === null ? "" : ` Try again in ${excerpt(seconds)} seconds.`;
  return new AppError(error.error, `${origin} answers ${status} ${error.error}: ${error.message}${later}`);
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
