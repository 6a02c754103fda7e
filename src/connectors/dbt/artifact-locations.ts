/** Finds out where the artifacts are, by the options: each on its own, or all in one folder, on any kind of storage. */
import { join, resolve } from "node:path";

import { findUrl } from "../http/find-url.ts";
import { bearer, type Remote, webFile } from "../http/remote.ts";
import { DEFAULT_REGION, parseS3, type S3Access, s3File, showS3 } from "../http/s3.ts";
import { shownUrl } from "./download.ts";
import {
  type Artifact,
  ARTIFACTS,
  type DbtOptions,
  DEFAULT_CLOUD_HOST,
  FILE_NAMES,
  findCloudOrigin,
  PLACE_OPTIONS,
} from "./options.ts";

export interface ArtifactLocation {
  artifact: Artifact;
  /** An absolute path, or a file to download. */
  at: string | Remote;
  /** The path or URL for the operator, without secrets. */
  shown: string;
  /** Whether the options name this very file, so that it must be there. Otherwise it is read if it is there. */
  isNamed: boolean;
  /** Changes whenever the file changes. Null if only the content shows a change. */
  version: string | null;
}

/** The locations in the options: those of the files that they name, and of all others in the folder. */
export function listLocations(options: DbtOptions): ArtifactLocation[] {
  const { target } = options;
  return ARTIFACTS.flatMap((artifact) => {
    const named = options[artifact];
    const isNamed = named !== undefined;
    const where = named ?? (target === undefined ? undefined : within(target, FILE_NAMES[artifact]));
    if (where === undefined) return [];
    return Object.assign(toLocation(where, options), { artifact, isNamed, version: null });
  });
}

/** The location of a file in a folder. A URL keeps its query, which may be a signature. */
function within(folder: string, name: string): string {
  const url = findUrl(folder);
  if (url !== null) {
    url.pathname = url.pathname.replace(/\/?$/, `/${name}`);
    return url.href;
  }
  return parseS3(folder) === null ? join(folder, name) : `${folder.replace(/\/?$/, "/")}${name}`;
}

function toLocation(where: string, options: DbtOptions): Pick<ArtifactLocation, "at" | "shown"> {
  const object = parseS3(where);
  if (object !== null) return { at: s3File(object, toAccess(options)), shown: showS3(object) };
  const url = findUrl(where);
  if (url === null) return { at: resolve(where), shown: resolve(where) };
  // The token of dbt Cloud is for dbt Cloud alone.
  const isForWeb = options.token !== undefined && options.dbt_cloud_account === undefined;
  return { at: webFile(url, isForWeb ? bearer(options.token ?? "") : null), shown: shownUrl(url) };
}

function toAccess(options: DbtOptions): S3Access {
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey, session_token: sessionToken } = options;
  const { region = DEFAULT_REGION, endpoint } = options;
  const hasKeys = accessKeyId !== undefined && secretAccessKey !== undefined;
  return { keys: hasKeys ? { accessKeyId, secretAccessKey, sessionToken } : null, region, endpoint };
}

/** Where the secrets among these options are sent to. They need not be valid. */
export function secretOrigins(options: Readonly<Record<string, string>>): string[] {
  const { dbt_cloud_account: account, dbt_cloud_host: host = DEFAULT_CLOUD_HOST, endpoint } = options;
  const locations = PLACE_OPTIONS.flatMap((key) => options[key]?.trim() ?? []);
  const urls = [...locations, endpoint ?? ""].flatMap((location) => findUrl(location) ?? []);
  const cloud = account === undefined ? [] : [findCloudOrigin(host)?.origin ?? host];
  const amazon =
    endpoint === undefined && locations.some((location) => parseS3(location) !== null) ? ["Amazon S3"] : [];
  return [...urls.map(({ origin }) => origin), ...cloud, ...amazon];
}
