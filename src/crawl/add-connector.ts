/** Configures a connector. */
import { resolve } from "node:path";

import type { z } from "zod";

import { AppError, badField, type FieldFault } from "../errors.ts";
import type { Connector } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { FindConnectorType } from "./connector-types.ts";

export interface ConnectorRequest {
  workspaceId: string;
  type: string;
  name: string;
  options: Record<string, string>;
}

/**
 * Checks the options by the connector's type and keeps it.
 * @throws AppError `bad_request` listing every fault, `conflict` for a name that is taken
 */
export async function addConnector(
  parts: { store: MetadataStore; findConnectorType: FindConnectorType },
  { workspaceId, type: typeName, name, options }: ConnectorRequest,
): Promise<Connector> {
  const type = parts.findConnectorType(typeName);
  if (!type) throw badField("type", `there is no type of connector called ${JSON.stringify(typeName)}`);
  const parsed = await type.options.safeParseAsync(options);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue): FieldFault => {
      return { field: ["options", ...issue.path].join("."), message: toPredicate(issue) };
    });
    const told = faults.map(({ field, message }) => `${field}: ${message}`).join("; ");
    throw new AppError("bad_request", told, { details: faults });
  }
  return parts.store.connectors.create({
    workspaceId,
    type: typeName,
    name,
    options: toAbsolutePaths(options, type.pathOptions ?? []),
    secretOptions: type.secretOptions,
  });
}

/** What is wrong with an option, for somebody who typed it. */
function toPredicate(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `there is no option ${issue.keys.join(", ")}`;
  if (issue.code === "invalid_type" && issue.input === undefined) return "is required";
  return issue.message;
}

function toAbsolutePaths(options: Record<string, string>, keys: readonly string[]): Record<string, string> {
  const toAbsolute = ([key, value]: [string, string]): [string, string] => {
    const isPath = keys.includes(key) && !value.includes("://");
    return [key, isPath ? resolve(value.trim()) : value];
  };
  return Object.fromEntries(Object.entries(options).map(toAbsolute));
}
