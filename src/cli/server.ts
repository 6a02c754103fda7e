/** A service elsewhere, which the command line asks with a token. */
import { z } from "zod";

import { excerpt } from "../characters.ts";
import { AppError, badField, type ErrorCode, HTTP_STATUS, unavailable } from "../errors.ts";
import { isLoopback } from "../limits/loopback.ts";

export interface ServerOptions {
  /** Where the service is: an http or https URL. */
  server: string;
  token: string;
  /** Whether the token may go over a network in clear. */
  allowHttp: boolean;
}

const refusal = z.object({ error: z.string(), message: z.string() });
/** Longer than a service may work at a request. */
const PATIENCE_MS = 65 * 60_000;

/** @throws AppError `bad_request` for what is no address, or one that the token would go to in clear */
export function toAddress({ server, allowHttp }: Omit<ServerOptions, "token">, path: string): URL {
  const base = URL.parse(server);
  if (base === null || !/^https?:$/.test(base.protocol) || base.username !== "" || base.password !== "") {
    throw badField("server", "must be a URL such as https://tributary.example.com, without credentials");
  }
  if (base.protocol === "http:" && !allowHttp && !isLoopback(base.hostname)) {
    throw badField("server", "would be sent the token in clear: use https, or --allow-http in a network you trust");
  }
  return new URL(`${base.origin}${base.pathname.replace(/\/+$/, "")}${path}`);
}

/** @throws AppError `unavailable` where the service does not answer, or not to the end */
export async function post(
  url: URL,
  token: string,
  request: { headers: Record<string, string>; body: string | Uint8Array<ArrayBuffer> },
): Promise<{ response: Response; text: string }> {
  const response = await send(url, {
    method: "POST",
    headers: { ...request.headers, Authorization: `Bearer ${token}` },
    body: request.body,
    // A token goes nowhere but where it was meant for.
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

/** What the service said, in its own words where it is one. */
export function toRefusal({ origin }: URL, { status, headers }: Response, text: string): AppError {
  const told = refusal.safeParse(parseOrNull(text)).data;
  if (told === undefined || !isCode(told.error)) {
    const where = status >= 300 && status < 400 ? " It sends elsewhere, where the token does not go." : "";
    return unavailable(`${origin} answers ${status}, and not as Tributary does.${where}`);
  }
  const seconds = headers.get("Retry-After");
  const later = seconds === null ? "" : ` Try again in ${excerpt(seconds)} seconds.`;
  return new AppError(told.error, `${origin} answers ${status} ${told.error}: ${told.message}${later}`);
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
