/** The dbt connector: models, sources, exposures and metrics of one project, from the artifacts that dbt writes. */
import { badField } from "../../errors.ts";
import type { ConnectorType, SourceLimits } from "../connector.ts";
import { type SourceFile, toSourceFile } from "../source-file.ts";
import { crawlProject, readVersion } from "./crawl.ts";
import { testProject } from "./test-project.ts";
import { type Network, toNetwork } from "./download.ts";
import { ARTIFACTS, dbtOptions, type DbtOptions, PLACE_OPTIONS, SECRET_OPTIONS } from "./options.ts";
import { listLocations, secretOrigins } from "./artifact-locations.ts";

/** Measured end to end. It lies between projects of few wide models and projects with much that is skipped. */
const BYTES_PER_SECOND = 2_000_000;
const SECONDS_PER_DOWNLOAD = 15;

/** @param limits from where artifacts may come, how large they may be, and the time limits of downloads */
export function createDbtConnector(limits: SourceLimits & Partial<Network> = {}) {
  const network = toNetwork(limits);
  return {
    type: "dbt",
    description: "A dbt project: models, seeds, snapshots, sources, exposures and metrics from its artifacts.",
    precedence: 50,
    lineagePrecedence: 300,
    options: dbtOptions,
    secretOptions: SECRET_OPTIONS,
    secretOrigins,
    pathOptions: PLACE_OPTIONS,
    pull: {
      estimateSeconds,
      test: (options, signal) => testProject(options, signal, network),
      crawl: (options, context) => crawlProject(options, context, network),
    },
    compare: {
      read: ({ instance }, version, signal) => readVersion(checkVersion(version), instance, signal, network),
    },
  } satisfies ConnectorType<DbtOptions>;
}

export const dbtConnector = createDbtConnector();

/** @throws AppError `bad_request` */
function checkVersion({ manifest, ...others }: Readonly<Record<string, SourceFile>>) {
  const unknown = Object.keys(others).find((name) => !ARTIFACTS.some((artifact) => artifact === name));
  if (unknown !== undefined) throw badField(unknown, "is not an artifact of dbt");
  if (manifest === undefined) throw badField("manifest", "is required");
  return { ...others, manifest };
}

async function estimateSeconds(options: DbtOptions): Promise<number> {
  const seconds = await Promise.all(
    listLocations(options).map(async ({ artifact, at, isNamed }) => {
      // It is not known which other files are in a remote folder.
      if (typeof at !== "string") return isNamed || artifact === "manifest" ? SECONDS_PER_DOWNLOAD : 0;
      return (await toSourceFile(at)).bytes / BYTES_PER_SECOND;
    }),
  );
  const ofCloud = options.dbt_cloud_account === undefined ? 0 : 2 * SECONDS_PER_DOWNLOAD;
  return Math.max(1, Math.ceil(seconds.reduce((sum, each) => sum + each, ofCloud)));
}
