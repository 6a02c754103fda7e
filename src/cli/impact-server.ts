/** Asks a running service what a new manifest would break. Needs only a token. */
import { createReadStream } from "node:fs";
import { buffer } from "node:stream/consumers";
import { createGzip } from "node:zlib";

import type { Risk } from "../catalog/impact.ts";
import { AppError, unavailable } from "../errors.ts";
import { fromImpactJson } from "../what-if/impact-json.ts";
import { impactReport } from "../what-if/impact-report.ts";
import { printImpactTables } from "./impact-tables.ts";
import { printLine } from "./print.ts";
import { parseOrNull, post, type ServerOptions, toAddress, toRefusal } from "./server.ts";

const PATH = "/api/v1/lineage/impact/manifest";
export interface ServerQuestion extends ServerOptions {
  /** The path of the new manifest. */
  manifest: string;
  /** The connector's name or id. May be left out if the service has only one. */
  against?: string | undefined;
  failOn?: Risk | undefined;
  format: "table" | "json" | "markdown";
}

export interface Outcome {
  /** Whether the risk of `--fail-on` is reached. */
  crossed: boolean;
  /** Whether something of the manifest could not be read. */
  isPartial: boolean;
}

/**
 * Prints the service's report.
 * @throws AppError if the service refuses the request, `unavailable` if it cannot be reached
 */
export async function askServer(question: ServerQuestion): Promise<Outcome> {
  const { token, format, against = "" } = question;
  const url = toImpactAddress(question);
  const { response, text } = await post(url, token, {
    headers: {
      Accept: format === "markdown" ? "text/markdown" : "application/json",
      "Content-Type": "application/json",
      "Content-Encoding": "gzip",
    },
    body: await pack(question.manifest),
  });
  if (response.status !== 200) throw toRefusal(url, response, text);
  if (format === "markdown") printLine(text);
  else {
    const json = parseReport(url, text);
    if (format === "json") printLine(JSON.stringify(json));
    else printImpactTables(fromImpactJson(json, against), question.failOn ?? null);
  }
  const { headers } = response;
  return {
    crossed: headers.get("Tributary-Impact") === "fail",
    isPartial: headers.get("Tributary-Compared") === "part",
  };
}

function toImpactAddress({ against, failOn, ...options }: ServerQuestion): URL {
  const url = toAddress(options, PATH);
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
    throw new AppError("bad_request", message, { location: path, cause: error });
  }
}

function parseReport({ origin }: URL, text: string) {
  const { data, error } = impactReport.safeParse(parseOrNull(text));
  if (data !== undefined) return data;
  throw unavailable(`${origin} answers a report that this version does not understand.`, error);
}
