/** `tributary impact`: what a new dbt manifest, or one change, would break. */
import { Argument, Option } from "commander";
import { createReadStream, openAsBlob } from "node:fs";
import { buffer } from "node:stream/consumers";
import { createGzip } from "node:zlib";

import { CHANGE_TYPES, type ChangeType, type Risk, RISKS } from "../catalog/impact.ts";
import { toSourceFile } from "../connectors/source-file.ts";
import { AppError, unavailable } from "../errors.ts";
import { DEFAULT_WORKSPACE } from "./start/workspace.ts";
import { fromImpactJson, toImpactJson } from "../what-if/impact-json.ts";
import { impactReport } from "../what-if/impact-report.ts";
import { toImpactMarkdown } from "../what-if/impact-markdown.ts";
import { countUnread, isCrossed } from "../what-if/impact-words.ts";
import { THE_SERVICE } from "../work/caller.ts";
import { askWithFiles, type ClientOptions, toServer, withClient } from "./client.ts";
import type { CommandBody } from "./command.ts";
import { printImpactTables } from "./impact-tables.ts";
import { getNamedNode } from "./named-node.ts";
import { printError, printLine } from "./print.ts";
import { parseOrNull, post, type ServerOptions, toAddress, toRefusal } from "./server.ts";

const FORMATS = ["table", "json", "markdown"] as const;

interface ImpactOptions extends ClientOptions {
  manifest?: string;
  against?: string;
  catalog?: string;
  change?: ChangeType;
  newType?: string;
  failOn?: Risk;
  format: (typeof FORMATS)[number];
}

export const impactCommand: CommandBody = {
  arguments: [new Argument("[asset]", "an asset's or metric's name, fully qualified name or id, with --change")],
  options: [
    new Option("--manifest <path>", "the new manifest.json, compiled"),
    new Option("--against <connector>", "the connector that reads the project, by name or id"),
    new Option("--catalog <path>", "the new catalog.json, for the types of columns"),
    new Option("--change <type>", "what would be done to the asset").choices(CHANGE_TYPES),
    new Option("--new-type <type>", "with --change type_change: the new type of the column"),
    new Option("--fail-on <risk>", "end with exit code 1 if something is at this risk or worse").choices(RISKS),
    new Option("--format <format>", "how to tell it").choices(FORMATS).default("table"),
  ],
  reach: "options",
  async run(asset: string | undefined, { json = false, ...given }: ImpactOptions & { json?: boolean }) {
    const options: ImpactOptions = json ? { ...given, format: "json" } : given;
    const { crossed, isPartial } = await assess(asset, options);
    process.exitCode = crossed ? 1 : 0;
    if (isPartial) printError("Not everything could be read: the answer names what is missing.");
    if (crossed) printError(`Something is at ${options.failOn} risk${options.failOn === "high" ? "" : " or worse"}.`);
  },
};

async function assess(asset: string | undefined, options: ImpactOptions): Promise<Outcome> {
  const { manifest, against, catalog, change, newType } = options;
  if (asset === undefined) {
    if (manifest === undefined) throw misused("name --manifest and --against, or an asset and --change");
    if (change !== undefined || newType !== undefined) throw misused("--change and --new-type go with an asset");
    return assessManifest(manifest, options);
  }
  if (manifest !== undefined || against !== undefined || catalog !== undefined) {
    throw misused("--manifest, --against and --catalog go together, without an asset");
  }
  if (change === undefined) throw misused("an asset goes with --change");
  if (newType !== undefined && change !== "type_change") throw misused("--new-type goes with --change type_change");
  return assessChange({ asset, change, newType }, options);
}

async function assessManifest(manifest: string, options: ImpactOptions): Promise<Outcome> {
  const { against, catalog, failOn, format, workspace = DEFAULT_WORKSPACE } = options;
  const server = toServer(options);
  if (server !== null) {
    return catalog === undefined
      ? askServer(server, manifest, options)
      : askServerWithCatalog(server, { manifest, catalog }, options);
  }
  if (against === undefined) throw misused("--manifest and --against go together");
  const files = {
    manifest: await toSourceFile(manifest),
    catalog: catalog === undefined ? undefined : await toSourceFile(catalog),
  };
  const { withServices } = await import("./session.ts");
  const report = await withServices({ workspace }, ({ whatIf }, found) =>
    whatIf.assessManifest({ workspace: found, caller: THE_SERVICE, against, ...files }),
  );
  if (format === "json") printLine(JSON.stringify(toImpactJson(report, failOn ?? null)));
  else if (format === "markdown") printLine(toImpactMarkdown(report, failOn ?? null));
  else printImpactTables(report, failOn ?? null);
  return { crossed: isCrossed(report, failOn ?? null), isPartial: countUnread(report) > 0 };
}

async function assessChange(
  { asset, change, newType }: { asset: string; change: ChangeType; newType: string | undefined },
  options: ImpactOptions,
): Promise<Outcome> {
  const { failOn, format } = options;
  const { changeSetImpact: impact } = await withClient(options, async (client) => {
    const { id } = await getNamedNode(client, asset);
    return client.ask("ImpactOfChange", { id, change, newType, failOn });
  });
  if (format === "json") printLine(JSON.stringify(impact.json));
  else if (format === "markdown") printLine(impact.markdown);
  else printImpactTables(fromImpactJson(impactReport.parse(impact.json), ""), failOn ?? null);
  return { crossed: impact.failed, isPartial: false };
}

function misused(message: string): AppError {
  return new AppError("bad_request", `What to assess? ${message}; see tributary impact --help.`);
}

interface Outcome {
  /** Whether the risk of `--fail-on` is reached. */
  crossed: boolean;
  /** Whether something of the manifest could not be read. */
  isPartial: boolean;
}

/**
 * Prints the report of a running service, for which a token is enough.
 * @param manifest the path of the new manifest
 * @throws AppError if the service refuses the request, `unavailable` if it cannot be reached
 */
async function askServer(
  server: ServerOptions,
  manifest: string,
  { against, failOn, format }: ImpactOptions,
): Promise<Outcome> {
  const url = toAddress(server, "/api/v1/lineage/impact/manifest");
  // The service finds the connector by the manifest if it is not named.
  if (against !== undefined) url.searchParams.set("connector", against);
  if (failOn !== undefined) url.searchParams.set("fail_on", failOn);
  const { response, text } = await post(url, server.token, {
    headers: {
      Accept: format === "markdown" ? "text/markdown" : "application/json",
      "Content-Type": "application/json",
      "Content-Encoding": "gzip",
    },
    body: await pack(manifest),
  });
  if (response.status !== 200) throw toRefusal(url, response, text);
  if (format === "markdown") printLine(text);
  else {
    const json = parseReport(url, text);
    if (format === "json") printLine(JSON.stringify(json));
    else printImpactTables(fromImpactJson(json, against ?? ""), failOn ?? null);
  }
  const { headers } = response;
  return {
    crossed: headers.get("Tributary-Impact") === "fail",
    isPartial: headers.get("Tributary-Compared") === "part",
  };
}

/** The route of REST takes a manifest alone, so GraphQL is asked. */
async function askServerWithCatalog(
  server: ServerOptions,
  paths: { manifest: string; catalog: string },
  { against, failOn, format }: ImpactOptions,
): Promise<Outcome> {
  const files = {
    manifest: await openFile("manifest", paths.manifest),
    catalog: await openFile("catalog", paths.catalog),
  };
  const { manifestImpact: impact } = await askWithFiles(server, "ImpactOfFiles", { files, against, failOn });
  if (format === "json") printLine(JSON.stringify(impact.json));
  else if (format === "markdown") printLine(impact.markdown);
  else printImpactTables(fromImpactJson(impactReport.parse(impact.json), against ?? ""), failOn ?? null);
  return { crossed: impact.failed, isPartial: impact.isPartial };
}

async function openFile(name: "manifest" | "catalog", path: string): Promise<Blob> {
  try {
    return await openAsBlob(path);
  } catch (error) {
    throw new AppError("bad_request", `${name}: ${name}.json cannot be read.`, { location: path, cause: error });
  }
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
