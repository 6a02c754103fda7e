/**
 * Where an asset is, from its URI. The forms of URIs are those of Airflow's providers (AIP-60). The platforms and parts
 * are those that datasets of OpenLineage events get, so that both mean one asset.
 */
import type { NodeRef } from "../../catalog/identity.ts";
import { decodePercent } from "../../characters.ts";
import { type PlatformForm, PLATFORMS } from "../platforms.ts";

/** The platform of DAGs and tasks, and of assets whose URI names no data source. */
export const OWN_PLATFORM = "airflow";

/**
 * How a URI is read. `relation`: the segments of its path. `project`: the same with the host before them. `file`: the last
 * segment, because the others are a path. `path`: the host and the path. `topic`: the path.
 */
type Form = PlatformForm | "project" | "file";

/** Platforms for which Airflow writes URIs in a form of its own. */
const OWN_FORMS: ReadonlyMap<string, Form> = new Map([
  ["bigquery", "project"],
  ["sqlite", "file"],
]);

/** A schema and a table, with or without a database. */
const RELATION_PARTS = { least: 2, most: 3 };

const URI = /^(?<scheme>[a-z][a-z\d+.-]*):(?:\/\/(?<authority>[^/?#]*))?(?<path>[^?#]*)/i;

/**
 * Names the asset. If the URI names no table, file or topic of a platform that is known, the asset belongs to Airflow.
 * @param instance of Airflow, for an asset that belongs to it. All others have none.
 */
export function toAssetRef(uri: string, instance: string): NodeRef {
  const { scheme = "", authority = "", path = "" } = URI.exec(uri)?.groups ?? {};
  const [platform = null, usual = null] = PLATFORMS.get(scheme.toLowerCase()) ?? [];
  const form = platform === null ? null : (OWN_FORMS.get(platform) ?? usual);
  const parts = form === null ? null : toParts(form, withoutUser(scheme, authority), path);
  if (platform === null || parts === null) {
    return { platform: OWN_PLATFORM, instance, type: "table", parts: [withoutSecrets(uri)] };
  }
  return { platform, instance: "", type: "table", parts };
}

/** Returns null if the URI does not have the form. */
function toParts(form: Form, authority: string, path: string): string[] | null {
  switch (form) {
    case "relation":
    case "project": {
      const segments = [form === "project" ? authority : "", ...toSegments(path)].filter((part) => part !== "");
      const isRelation = segments.length >= RELATION_PARTS.least && segments.length <= RELATION_PARTS.most;
      return isRelation ? segments : null;
    }
    case "file": {
      const [table] = toSegments(path).slice(-1);
      return table === undefined ? null : [table];
    }
    case "path":
      return toPathParts(authority, path);
    case "topic": {
      const topic = path.replaceAll(/^\/+|\/+$/g, "");
      return topic === "" ? null : [topic];
    }
  }
}

/** The path has no slash at its end, and none at its beginning if it is below a bucket or host. */
function toPathParts(authority: string, path: string): string[] {
  const cut = path.replace(/\/+$/, "");
  // OpenLineage leaves the domain out of the account's name: container@account.
  const base = authority.replace(/(@[^.]+)\.blob\.core\.windows\.net$/i, "$1");
  return base === "" ? [cut || "/"] : [base, cut.replace(/^\/+/, "") || "/"];
}

function toSegments(path: string): string[] {
  return path
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) => decodePercent(segment) ?? segment);
}

/** In the names of Azure's storage, what is before the `@` is a container: container@account. */
const CONTAINER_SCHEMES = /^(?:wasbs?|abfss?)$/i;

function withoutUser(scheme: string, authority: string): string {
  return CONTAINER_SCHEMES.test(scheme) ? authority : authority.slice(authority.lastIndexOf("@") + 1);
}

const SECRET_PARAMETER = /([?&][^=&#]*(?:credential|key|passw|secret|sig|token)[^=&#]*=)[^&#]*/gi;

/** The URI as it may be shown. Old versions of Airflow keep user names, passwords and tokens in it. */
export function withoutSecrets(uri: string): string {
  const { scheme = "", authority = "" } = URI.exec(uri)?.groups ?? {};
  const begin = `${scheme}://${authority}`;
  const open = uri.startsWith(begin) ? `${scheme}://${withoutUser(scheme, authority)}${uri.slice(begin.length)}` : uri;
  return open.replaceAll(SECRET_PARAMETER, "$1***");
}
