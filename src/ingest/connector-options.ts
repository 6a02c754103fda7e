/** A connector's options: they are checked by its type, stored with absolute paths, and may be changed in part. */
import { resolve } from "node:path";

import type { z } from "zod";

import { excerpt, hasMoreCharacters } from "../characters.ts";
import type { ConnectorType, SourceFinding } from "../connectors/connector.ts";
import { AppError, badField, badFields, type FieldFault } from "../errors.ts";
import type { Connector } from "../metadata/records.ts";
import type { FindConnectorType } from "./connector-types.ts";

/** Option values by option name. */
export type Options = Record<string, string>;

/** Options to set, by name; null removes an option. */
export type OptionsChange = Readonly<Record<string, string | null>>;

/** @throws AppError `bad_request` */
export function getConnectorType(find: FindConnectorType, name: string): ConnectorType {
  const type = find(name);
  if (type) return type;
  throw badField("type", `there is no connector type named ${JSON.stringify(excerpt(name))}`);
}

/**
 * @returns the options as they are stored, and as their type parses them
 * @throws AppError `bad_request` with every fault
 */
export async function checkOptions(
  type: ConnectorType,
  given: Options,
): Promise<{ options: Options; parsed: unknown }> {
  const options = toAbsolutePaths(given, type.pathOptions ?? []);
  const parsed = await type.options.safeParseAsync(options);
  if (parsed.success) return { options, parsed: parsed.data };
  throw badFields(
    parsed.error.issues.map((issue): FieldFault => {
      return { field: ["options", ...issue.path].join("."), message: toPredicate(issue) };
    }),
  );
}

/**
 * The options after a change. What the change does not name stays, including secrets. But a secret that was given for
 * one host is not sent to another.
 * @throws AppError `bad_request` if a secret must be given again
 */
export function changeOptions(
  type: Pick<ConnectorType, "secretOptions" | "secretOrigins">,
  { options: before }: Pick<Connector, "options">,
  change: OptionsChange,
): Options {
  const merged = Object.entries({ ...before, ...change });
  const after: Options = Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== null));
  const { secretOptions, secretOrigins = (options) => originsOf(options, secretOptions) } = type;
  const known = new Set(secretOrigins(before));
  const added = [...new Set(secretOrigins(after))].filter((origin) => !known.has(origin));
  const kept = secretOptions.filter((key) => before[key] !== undefined && change[key] === undefined);
  if (added.length > 0 && kept.length > 0) {
    const message = `must be given again: it would be sent to ${added.join(", ")}, which it was not given for`;
    throw badFields(kept.map((key) => ({ field: `options.${key}`, message })));
  }
  return after;
}

/** More than any type has. */
const MAX_OPTIONS = 100;
const MAX_VALUE_CHARACTERS = 10_000;

/**
 * Reads options that a client sent as JSON.
 * @param nullable whether an option may be null, which removes it
 * @throws AppError `bad_request` if a value is not text or is too long, and if there are too many options
 */
export function parseOptions(said: Readonly<Record<string, unknown>>): Options;
export function parseOptions(said: Readonly<Record<string, unknown>>, nullable: "nullable"): OptionsChange;
export function parseOptions(said: Readonly<Record<string, unknown>>, nullable?: "nullable"): OptionsChange {
  const given = Object.entries(said);
  if (given.length > MAX_OPTIONS) throw badField("options", `must be at most ${MAX_OPTIONS}`);
  const faults: FieldFault[] = [];
  const options: Record<string, string | null> = {};
  for (const [key, value] of given) {
    const isFine = typeof value === "string" && !hasMoreCharacters(value, MAX_VALUE_CHARACTERS);
    if (isFine || (value === null && nullable !== undefined)) options[key] = value;
    else
      faults.push({ field: `options.${key}`, message: `must be text of at most ${MAX_VALUE_CHARACTERS} characters` });
  }
  if (faults.length > 0) throw badFields(faults);
  return options;
}

/** @throws AppError `bad_request` */
export async function checkRemovalShare(percent: number | undefined): Promise<void> {
  if (percent !== undefined && percent > 100) throw badField("removalShare", "must be a number of percent, 0 to 100");
}

/** The hosts of the URLs among the options. */
function originsOf(options: Readonly<Options>, secretOptions: readonly string[]): string[] {
  const open = Object.entries(options).filter(([key]) => !secretOptions.includes(key));
  const urls = open.flatMap(([, value]) => (value.includes("://") ? (URL.parse(value.trim()) ?? []) : []));
  // WHATWG URL knows no origin for schemes such as postgres.
  return urls.map(({ origin, protocol, host }) => (origin === "null" ? `${protocol}//${host}` : origin));
}

/** The fault of an option, for the person who typed it. */
function toPredicate(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `there is no option ${excerpt(issue.keys.join(", "))}`;
  if (issue.code === "invalid_type" && issue.input === undefined) return "is required";
  return issue.message;
}

function toAbsolutePaths(options: Options, keys: readonly string[]): Options {
  const toAbsolute = ([key, value]: [string, string]): [string, string] => {
    const isPath = keys.includes(key) && value.trim() !== "" && !value.includes("://");
    return [key, isPath ? resolve(value.trim()) : value];
  };
  return Object.fromEntries(Object.entries(options).map(toAbsolute));
}

/** @throws AppError `bad_request` if the source cannot be read; it names each faulty option */
export function requireReadable(findings: readonly SourceFinding[]): void {
  const faults = findings.filter(({ severity }) => severity === "error");
  if (faults.length > 0)
    throw badFields(faults.map(({ option, message }) => ({ field: `options.${option}`, message })));
}

/** @throws AppError `conflict` if there is nothing to crawl */
export function requireSource({ name }: Pick<Connector, "name">, type: ConnectorType | null | undefined): void {
  if (!type || type.pull !== undefined) return;
  throw new AppError("conflict", `The connector ${name} has no source to read: others send events to it.`);
}
