/** Asks a running service what a new manifest would break: with a token alone, from anywhere. */
import { createReadStream } from "node:fs";
import { buffer } from "node:stream/consumers";
import { createGzip } from "node:zlib";

import { z } from "zod";

import type { Risk } from "../catalog/impact.ts";
import { excerpt } from "../characters.ts";
import { AppError, badField, type ErrorCode, HTTP_STATUS, unavailable } from "../errors.ts";
import { isLoopback } from "../limits/loopback.ts";
import { fromImpactJson, impactReport } from "../what-if/impact-json.ts";
import { printImpactTables } from "./impact-tables.ts";
import { printLine } from "./print.ts";

const PATH = "/api/v1/lineage/impact/manifest";
/** Longer than a service may work at a request. */
const PATIENCE_MS = 65 * 60_000;

export interface ServerQuestion {
  /** Where the service is: an http or https URL. */
  server: string;
  token: string;
  /** Whether the token may go over a network in clear. */
  allowHttp: boolean;
  /** The path of the new manifest. */
  manifest: string;
  /** The connector's name or id; the service takes the only one unless told. */
  against?: string | undefined;
  failOn?: Risk | undefined;
  format: "table" | "json" | "markdown";
}

const refusal = z.object({ error: z.string(), message: z.string() });

/**
 * Prints what the service answers.
 * @returns whether it has failed
 * @throws AppError with what the service refused it by, or `unavailable` where it is not there
 */
export async function askServer(question: ServerQuestion): Promise<boolean> {
  const { token, format, against = "" } = question;
  const url = toAddress(question);
  const response = await send(url, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: format === "markdown" ? "text/markdown" : "application/json",
      "Content-Type": "application/json",
      "Content-Encoding": "gzip",
    },
    body: await pack(question.manifest),
    // A token goes nowhere but where it was meant for.
    redirect: "manual",
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await response.text().catch((error: unknown) => {
    throw unavailable(`${url.origin} broke off its answer.`, error);
  });
  if (response.status !== 200) throw toRefusal(url, response, text);
  if (format === "markdown") printLine(text);
  else {
    const json = parseReport(url, text);
    if (format === "json") printLine(JSON.stringify(json));
    else printImpactTables(fromImpactJson(json, against));
  }
  return response.headers.get("Tributary-Impact") === "fail";
}

/** @throws AppError `bad_request` for what is no address, or one that the token would go to in clear */
function toAddress({ server, against, failOn, allowHttp }: ServerQuestion): URL {
  const base = URL.parse(server);
  if (base === null || !/^https?:$/.test(base.protocol) || base.username !== "" || base.password !== "") {
    throw badField("server", "must be a URL such as https://tributary.example.com, without credentials");
  }
  if (base.protocol === "http:" && !allowHttp && !isLoopback(base.hostname)) {
    throw badField("server", "would be sent the token in clear: use https, or --allow-http in a network you trust");
  }
  const url = new URL(`${base.origin}${base.pathname.replace(/\/+$/, "")}${PATH}`);
  if (against !== undefined) url.searchParams.set("connector", against);
  if (failOn !== undefined) url.searchParams.set("fail_on", failOn);
  return url;
}

async function pack(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const file = createReadStream(path);
    const gzip = createGzip();
    file.once("error", (error) => gzip.destroy(error));
    return new Uint8Array(await buffer(file.pipe(gzip)));
  } catch (error) {
    const isAbsent = error instanceof Error && "code" in error && error.code === "ENOENT";
    const message = `manifest: manifest.json ${isAbsent ? "cannot be found" : "cannot be read"}.`;
    throw new AppError("bad_request", message, { place: path, cause: error });
  }
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
function toRefusal({ origin }: URL, { status, headers }: Response, text: string): AppError {
  const told = refusal.safeParse(parseOrNull(text)).data;
  if (told === undefined || !isCode(told.error)) {
    const where = status >= 300 && status < 400 ? " It sends elsewhere, where the token does not go." : "";
    return unavailable(`${origin} answers ${status}, and not as Tributary does.${where}`);
  }
  const seconds = headers.get("Retry-After");
  const later = seconds === null ? "" : ` Try again in ${excerpt(seconds)} seconds.`;
  return new AppError(told.error, `${origin} answers ${status} ${told.error}: ${told.message}${later}`);
}

function isCode(text: string): text is ErrorCode {
  return Object.hasOwn(HTTP_STATUS, text);
}

function parseReport({ origin }: URL, text: string) {
  const { data, error } = impactReport.safeParse(parseOrNull(text));
  if (data !== undefined) return data;
  throw unavailable(`${origin} answers a report that this version does not understand.`, error);
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
