/**
 * Where a dataset is, from its namespace and name.
 * The rules are those of https://openlineage.io/docs/spec/naming.
 */
import type { NodeRef } from "../../catalog/identity.ts";
import { fitsPattern } from "../option-values.ts";
import { PLATFORMS, type PlatformForm } from "../platforms.ts";
import type { NamespaceRule, OpenLineageOptions } from "./options.ts";

/** A dataset as an event names it. */
export interface DatasetName {
  namespace: string;
  name: string;
}

/** Equal for equal names. */
export function nameKey({ namespace, name }: DatasetName): string {
  return `${namespace}\n${name}`;
}

/** The platform of jobs, and of datasets whose namespace names no data source. */
export const OWN_PLATFORM = "openlineage";

/** `postgres://host:5432`, `bigquery`, `file:/tmp`. */
const NAMESPACE = /^(?<scheme>[a-z][a-z\d+.-]*)(?::(?:\/\/(?<authority>[^/]*))?(?<path>\/.*)?)?$/i;

/** `arn:aws:glue:{region}:{account}`, with names such as `table/{database}/{table}`. */
const GLUE = /^arn:aws[\w-]*:glue:/i;

interface NamedDataset {
  platform: string;
  form: PlatformForm;
  parts: string[];
}

/** Names the relation that is the dataset. Two namespaces of one data source mean the same relation. */
export function toDatasetRef(dataset: DatasetName, { namespaces, instance }: OpenLineageOptions): NodeRef {
  const namespace = dataset.namespace.toUpperCase();
  const rule = namespaces.find(({ pattern }) => fitsPattern(namespace, pattern));
  if (rule !== undefined) return { type: "table", ...toRuledDataset(dataset, rule, instance) };
  const { platform, parts } = parseDataset(dataset);
  return { type: "table", platform, instance, parts };
}

/** Whether the name is a path, so that the dataset may have a better name as a table. */
export function isPath(dataset: DatasetName): boolean {
  return parseDataset(dataset).form === "path";
}

export function toJobRef({ namespace, name }: DatasetName, { instance }: OpenLineageOptions): NodeRef {
  return { type: "pipeline", platform: OWN_PLATFORM, instance, parts: [namespace, name] };
}

function toRuledDataset({ namespace, name }: DatasetName, rule: NamespaceRule, instance: string) {
  const { platform, prefix } = rule;
  const form = PLATFORMS.get(platform)?.[1] ?? "relation";
  const parts = form === "relation" ? splitName(name) : parseDataset({ namespace, name }).parts;
  const missing = form === "relation" ? prefix.slice(0, Math.max(0, MOST_PARTS - parts.length)) : [];
  return { platform, instance: rule.instance ?? instance, parts: [...missing, ...parts] };
}

/** A database, a schema and a table. */
const MOST_PARTS = 3;

function parseDataset({ namespace, name }: DatasetName): NamedDataset {
  if (GLUE.test(namespace)) {
    return { platform: "glue", form: "relation", parts: nonEmpty(name.split("/").slice(1), name) };
  }
  const { scheme = "", authority = "", path = "" } = NAMESPACE.exec(namespace)?.groups ?? {};
  const [platform, form] = PLATFORMS.get(scheme.toLowerCase()) ?? [];
  if (platform === undefined || form === undefined) {
    return { platform: OWN_PLATFORM, form: "topic", parts: [namespace, name] };
  }
  if (form === "relation") return { platform, form, parts: splitName(name) };
  if (form === "topic") return { platform, form, parts: [name.replace(/^topic:/, "")] };
  const base = nonEmpty([authority, path.replace(/\/+$/, "")], "").filter((part) => part !== "");
  return { platform, form, parts: [...base, withoutEdges(name, base.length > 0)] };
}

/** A path has no slash at its end, and none at its beginning if it is below a bucket. */
function withoutEdges(path: string, isBelow: boolean): string {
  const cut = path.replace(/\/+$/, "");
  return (isBelow ? cut.replace(/^\/+/, "") : cut) || "/";
}

const PART = /"((?:[^"]|"")*)"|`([^`]*)`|\[([^\]]*)\]|([^.]+)/g;

/** The parts of a dotted name. A dot within quotes belongs to its part. */
function splitName(name: string): string[] {
  const parts = [...name.matchAll(PART)].map(([, double, backtick, bracket, plain = ""]) => {
    return double?.replaceAll('""', '"') ?? backtick ?? bracket ?? plain.trim();
  });
  return nonEmpty(parts, name);
}

function nonEmpty(parts: readonly string[], otherwise: string): string[] {
  const kept = parts.filter((part) => part !== "");
  return kept.length > 0 ? kept : [otherwise];
}
