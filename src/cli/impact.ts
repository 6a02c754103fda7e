/** `tributary impact`: what a new dbt manifest, or one change, would break. */
import { type Command, Option } from "commander";

import type { CatalogNode } from "../catalog/asset.ts";
import { nameChange } from "../catalog/change-set/change.ts";
import { canChange, CHANGE_TYPES, type ChangeType, type Risk, RISKS } from "../catalog/impact.ts";
import { AppError, badField } from "../errors.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { Workspace } from "../metadata/records.ts";
import type { Services } from "../services.ts";
import type { WhatIfReport } from "../what-if/what-if.ts";
import { THE_SERVICE } from "../work/caller.ts";
import { toImpactJson } from "../what-if/impact-json.ts";
import { toImpactMarkdown } from "../what-if/impact-markdown.ts";
import { isCrossed } from "../what-if/impact-words.ts";
import { readSettings } from "../settings.ts";
import { askServer, type ServerQuestion } from "./impact-server.ts";
import { printImpactTables } from "./impact-tables.ts";
import { printError, printLine } from "./print.ts";
import { type WorkspaceOption, withServices, workspaceOption } from "./session.ts";

const FORMATS = ["table", "json", "markdown"] as const;

interface ImpactOptions extends WorkspaceOption {
  manifest?: string;
  against?: string;
  catalog?: string;
  change?: ChangeType;
  newType?: string;
  server?: string;
  token?: string;
  allowHttp?: boolean;
  failOn?: Risk;
  format: (typeof FORMATS)[number];
}

export function addImpactCommand(program: Command): void {
  program
    .command("impact")
    .description("tell what a new dbt manifest would break, or one change of one asset")
    .argument("[asset]", "an asset's or metric's id or fully qualified name, with --change")
    .option("--manifest <path>", "the new manifest.json, compiled")
    .option("--against <connector>", "the connector that crawls the project, by name or id")
    .option("--catalog <path>", "the new catalog.json, for the types of columns")
    .addOption(new Option("--change <type>", "what would be done to the asset").choices(CHANGE_TYPES))
    .option("--new-type <type>", "with --change type_change: the type that a column would get")
    .option("--server <url>", "ask a running service instead of the data folder; or TRIBUTARY_URL")
    .option("--token <token>", "with --server: a token with the scope read; better in TRIBUTARY_TOKEN")
    .option("--allow-http", "with --server: send the token over plain http to another machine, too")
    .addOption(
      new Option("--fail-on <risk>", "end with exit code 1 where something is at this risk or worse").choices(RISKS),
    )
    .addOption(new Option("--format <format>", "how to tell it").choices(FORMATS).default("table"))
    .addOption(workspaceOption())
    .action(async (asset: string | undefined, options: ImpactOptions) => {
      const question = toServerQuestion(asset, options);
      const crossed = question === null ? await askHere(asset, options) : await askServer(question);
      process.exitCode = crossed ? 1 : 0;
      if (crossed) {
        printError(`Something is at ${options.failOn} risk${options.failOn === "high" ? "" : " or worse"}.`);
      }
    });
}

/** @returns whether the bar is crossed */
async function askHere(asset: string | undefined, options: ImpactOptions): Promise<boolean> {
  const report = await assess(asset, options);
  print(report, options);
  return isCrossed(report, options.failOn ?? null);
}

/**
 * What to ask a running service; null where none is named. What is about an asset is asked of the data folder, unless a
 * service is named for that very command.
 * @throws AppError `bad_request` where it cannot be asked of a service
 */
function toServerQuestion(asset: string | undefined, options: ImpactOptions): ServerQuestion | null {
  const settings = readSettings().server;
  const { server = asset === undefined ? settings.url : null, token = settings.token } = options;
  if (server === null) {
    if (options.token === undefined && options.allowHttp === undefined) return null;
    throw misused("--token and --allow-http go with --server");
  }
  const { manifest, against, failOn, format, allowHttp = false } = options;
  if (manifest === undefined || asset !== undefined)
    throw misused("a service is asked with --manifest, without an asset");
  if (options.catalog !== undefined) throw misused("--catalog is read from the data folder's machine alone");
  if (token === null) throw misused("a service asks for --token, or TRIBUTARY_TOKEN");
  return { server, token, allowHttp, manifest, against, failOn, format };
}

type Ask = (services: Services, workspace: Workspace) => Promise<WhatIfReport>;

async function assess(asset: string | undefined, options: ImpactOptions): Promise<WhatIfReport> {
  const ask = toQuestion(asset, options);
  return withServices(options, ask);
}

/** @throws AppError `bad_request` where what is asked for is neither the one nor the other */
function toQuestion(asset: string | undefined, options: ImpactOptions): Ask {
  const { manifest, against, catalog, change, newType = "" } = options;
  if (asset === undefined && manifest !== undefined && against !== undefined) {
    if (change !== undefined || newType !== "") throw misused("--change and --new-type go with an asset");
    return ({ whatIf }, workspace) =>
      whatIf.assessManifest({ workspace, caller: THE_SERVICE, against, manifest, catalog });
  }
  if (manifest !== undefined || against !== undefined || catalog !== undefined) {
    throw misused("--manifest and --against go together, without an asset");
  }
  if (asset === undefined || change === undefined)
    throw misused("name --manifest and --against, or an asset and --change");
  if (newType !== "" && change !== "type_change") throw misused("--new-type goes with --change type_change");
  return async ({ whatIf, graph }, workspace) => {
    const node = await getNode(graph, workspace, asset);
    if (!canChange(node.type, change)) throw badField("change", `${change} cannot happen to a ${node.type}`);
    return whatIf.assessChanges(workspace, [nameChange(node, change, newType)], THE_SERVICE);
  };
}

function misused(message: string): AppError {
  return new AppError("bad_request", `What to assess? ${message}; see tributary impact --help.`);
}

/** @throws AppError `not_found` */
async function getNode(graph: GraphReader, { id, name }: Workspace, idOrFqn: string): Promise<CatalogNode> {
  const [byId] = await graph.loadNodes(id, [idOrFqn]);
  const found = byId ?? (await graph.findByFqn(id, idOrFqn, {}));
  if (found !== null) return found;
  throw new AppError("not_found", `There is no asset or metric ${idOrFqn} in the workspace ${name}.`);
}

function print(report: WhatIfReport, { format, failOn }: ImpactOptions): void {
  if (format === "json") printLine(JSON.stringify(toImpactJson(report, failOn ?? null)));
  else if (format === "markdown") printLine(toImpactMarkdown(report));
  else printImpactTables(report);
}
