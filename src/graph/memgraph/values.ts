/** Reads checked values of a result. */
import type { AssetUsage } from "../../catalog/usage.ts";
import { type NodeId, toNodeId } from "../../ids.ts";

export function text(value: unknown): string {
  if (typeof value !== "string") throw new TypeError(`expected text, not ${typeof value}`);
  return value;
}

/**
 * The column of a result that collects a property of each row. `collect` leaves nulls out, so without a value for a
 * missing property, all later values would belong to the wrong rows.
 */
export function collected(property: string, as: string, missing = "''"): string {
  return `collect(coalesce(${property}, ${missing})) AS ${as}`;
}

/** Memgraph stores no null: a missing property is read as null. */
export function textOrNull(value: unknown): string | null {
  return value === null ? null : text(value);
}

export function nodeIdOrNull(value: unknown): NodeId | null {
  return value === null ? null : toNodeId(text(value));
}

export function integer(value: unknown): number {
  if (!Number.isInteger(value)) throw new TypeError(`expected an integer, not ${String(value)}`);
  return Number(value);
}

export function integerOrNull(value: unknown): number | null {
  return value === null ? null : integer(value);
}

/** Only stored-asset.ts writes the text, from an AssetUsage. */
export function usageOrNull(value: unknown): AssetUsage | null {
  const usage = textOrNull(value);
  return usage === null ? null : (JSON.parse(usage) as AssetUsage);
}

export function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`expected a list, not ${typeof value}`);
  return value;
}

export function texts(value: unknown): string[] {
  return list(value).map(text);
}

/** One of a few known values. */
export function oneOf<T extends string | number>(known: readonly T[], value: unknown): T {
  const found = known.find((each) => each === value);
  if (found === undefined) throw new TypeError(`expected one of ${known.join(", ")}, not ${String(value)}`);
  return found;
}
