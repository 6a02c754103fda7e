/**
 * Finds the latest successful run in dbt Cloud that has artifacts, by version 2 of its Administrative API.
 * https://docs.getdbt.com/dbt-cloud/api-v2
 */
import { z } from "zod";

import { CrawlFailure } from "../connector.ts";
import type { Authorize, Explanation, Refusal, Remote } from "../http/remote.ts";
import { toSourceFile } from "../source-file.ts";
import { shownUrl } from "./download.ts";
import { CLOUD_SOURCE, failure, type Source } from "./faults.ts";
import { downloadCopy, type OpenOptions } from "./input.ts";
import {
  type Artifact,
  ARTIFACTS,
  DEFAULT_CLOUD_HOST,
  type DbtOptions,
  FILE_NAMES,
  findCloudOrigin,
} from "./options.ts";
import type { ArtifactLocation } from "./artifact-locations.ts";
import { type Member, readMembers } from "./read-members.ts";

/** The status of a run that succeeded. */
const SUCCESS = "10";
/** How many of the latest successful runs are considered, and how many are asked for their artifacts. */
const RUNS = 20;
const RUNS_ASKED = 5;

/** `artifacts_saved` is missing in some versions of the API. */
const runShape = z.object({ id: z.int().positive(), artifacts_saved: z.boolean().nullish() });

interface Cloud {
  account: string;
  toRemote: (path: string) => Remote;
  open: OpenOptions;
}

/**
 * The locations of the artifacts of the latest successful run that has any.
 * @throws CrawlFailure if the token, the account or the job is wrong, or there is no such run
 */
export async function listCloudLocations(options: DbtOptions, open: OpenOptions): Promise<ArtifactLocation[]> {
  const { dbt_cloud_account: account = "", dbt_cloud_job: job, dbt_cloud_environment: environment = "" } = options;
  const of = job === undefined ? `environment ${environment}` : `job ${job}`;
  const cloud: Cloud = { account, toRemote: createRemotes(options), open };
  const filter = job === undefined ? { environment_id: environment } : { job_definition_id: job };
  const query = new URLSearchParams({ ...filter, status: SUCCESS, order_by: "-finished_at", limit: String(RUNS) });
  const runs = await listRuns(cloud, `runs/?${query}`);
  if (runs.length === 0) {
    throw refuse(cloud, "cloud_runs", `has no successful run of ${of} yet, or none that this token may read`);
  }
  const saved = runs.filter((run) => run.artifacts_saved !== false).slice(0, RUNS_ASKED);
  for (const { id } of saved) {
    const artifacts = await listArtifacts(cloud, `runs/${id}/artifacts/`);
    if (!artifacts.includes("manifest")) continue;
    return artifacts.map((artifact) => {
      const at = cloud.toRemote(`runs/${id}/artifacts/${FILE_NAMES[artifact]}`);
      const isNamed = artifact === "manifest";
      return { artifact, at, shown: shownUrl(at.url), isNamed, version: `run ${id} of dbt Cloud` };
    });
  }
  const why = `has no artifacts of the last ${runs.length} successful runs of ${of}: they expired, or the runs wrote no manifest.json`;
  throw refuse(cloud, "cloud_artifacts", why);
}

function createRemotes({ dbt_cloud_account: account = "", dbt_cloud_host, token = "" }: DbtOptions): Cloud["toRemote"] {
  const host = dbt_cloud_host ?? DEFAULT_CLOUD_HOST;
  const origin = findCloudOrigin(host);
  if (origin === null) throw new TypeError("the options were checked");
  const base = new URL(`/api/v2/accounts/${account}/`, origin);
  const authorize: Authorize = () => Promise.resolve({ authorization: `Token ${token}` });
  const explain = (refusal: Refusal): Explanation | null =>
    explainRefusal(refusal, account, dbt_cloud_host === undefined);
  return (path) => ({ url: new URL(path, base), authorize, followsRedirects: true, explain });
}

function explainRefusal({ status, body }: Refusal, account: string, isDefaultHost: boolean): Explanation | null {
  if (status === 401 && body.includes("unpaid")) {
    return { code: "cloud_token", why: "is refused: dbt Cloud's API is not for unpaid accounts" };
  }
  if (status === 401) {
    const hint = isDefaultHost ? "; if the account has a host of its own, set dbt_cloud_host" : "";
    return { code: "cloud_token", why: `is refused: dbt Cloud does not accept the token (HTTP 401)${hint}` };
  }
  if (status === 403) {
    const why = `is refused: the token may not read jobs of account ${account} (HTTP 403)`;
    return { code: "cloud_account", why };
  }
  return null;
}

async function listRuns(cloud: Cloud, path: string): Promise<z.infer<typeof runShape>[]> {
  try {
    const members = await readData(cloud, path);
    return members.flatMap(({ value }) => runShape.safeParse(value).data ?? []);
  } catch (error) {
    if (!isCode(error, "not_found")) throw error;
    throw refuse(cloud, "cloud_account", `has no account ${cloud.account} that this token may read`, error);
  }
}

/** What a run wrote of the artifacts that a crawl reads. [] if it is not kept any more. */
async function listArtifacts(cloud: Cloud, path: string): Promise<Artifact[]> {
  try {
    const members = await readData(cloud, path);
    const names = new Set(members.map(({ value }) => value));
    return ARTIFACTS.filter((artifact) => names.has(FILE_NAMES[artifact]));
  } catch (error) {
    if (isCode(error, "not_found")) return [];
    throw error;
  }
}

/** The entries of `data` in an answer of the API. */
async function readData({ toRemote, open }: Cloud, path: string): Promise<Member[]> {
  const remote = toRemote(path);
  const source: Source = { name: CLOUD_SOURCE, location: shownUrl(remote.url) };
  const copy = await toSourceFile(await downloadCopy(remote, { ...open, source }));
  const members: Member[] = [];
  try {
    for await (const member of readMembers({ ...source, open: copy.open }, (name) => name === "data", open)) {
      members.push(structuredClone(member));
    }
  } catch (error) {
    if (!isCode(error, "malformed_json")) throw error;
    const why = "does not answer as its API does: is dbt_cloud_host right?";
    throw failure(source, { code: "cloud_host", stage: "connect", why }, error);
  }
  return members;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof CrawlFailure && error.error.code === code;
}

function refuse({ toRemote }: Cloud, code: string, why: string, cause?: unknown): CrawlFailure {
  return failure({ name: CLOUD_SOURCE, location: shownUrl(toRemote("").url) }, { code, stage: "connect", why }, cause);
}
