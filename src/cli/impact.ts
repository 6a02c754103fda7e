/** `tributary impact`: what a new dbt manifest, or one change, would break. */
import { Argument, Option } from "commander";
import { readFile } from "node:fs/promises";

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
import type { Answer } from "./operations.ts";
import { printError, printLine } from "./print.ts";

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
  const { against, catalog, failOn, workspace = DEFAULT_WORKSPACE } = options;
  const server = toServer(options);
  if (server !== null) {
    const files = {
      manifest: await readAsBlob("manifest", manifest),
      ...(catalog !== undefined && { catalog: await readAsBlob("catalog", catalog) }),
    };
    const { manifestImpact } = await askWithFiles(server, "ImpactOfFiles", { files, against, failOn });
    return show(manifestImpact, options);
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
  const [json, markdown] = [toImpactJson(report, failOn ?? null), toImpactMarkdown(report, failOn ?? null)];
  return show(
    { json, markdown, failed: isCrossed(report, failOn ?? null), isPartial: countUnread(report) > 0 },
    options,
  );
}

async function assessChange(
  { asset, change, newType }: { asset: string; change: ChangeType; newType: string | undefined },
  options: ImpactOptions,
): Promise<Outcome> {
  const { changeSetImpact } = await withClient(options, async (client) => {
    const { id } = await getNamedNode(client, asset);
    return client.ask("ImpactOfChange", { id, change, newType, failOn: options.failOn });
  });
  return show(changeSetImpact, options);
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

/** @throws AppError `unavailable` if the report is of a service that this version does not understand */
function show(
  { json, markdown, failed, isPartial }: Answer<"ImpactOfFiles">["manifestImpact"],
  { against = "", failOn, format }: ImpactOptions,
): Outcome {
  if (format === "json") printLine(JSON.stringify(json));
  else if (format === "markdown") printLine(markdown);
  else {
    const { data, error } = impactReport.safeParse(json);
    if (error) throw unavailable("The service answers a report that this version does not understand.", error);
    printImpactTables(fromImpactJson(data, against), failOn ?? null);
  }
  return { crossed: failed, isPartial };
}

/** Reads all of it at once, so that it may also be a pipe. */
async function readAsBlob(name: "manifest" | "catalog", path: string): Promise<Blob> {
  try {
    return new Blob([await readFile(path)]);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const message = `${name}: ${name}.json cannot be ${name === "manifest" && isMissing ? "found" : "read"}.`;
    throw new AppError("bad_request", message, { location: path, cause: error });
  }
}
