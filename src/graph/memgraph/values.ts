/** Reads checked values of a result. */
import type { AssetUsage } from "../../catalog/usage.ts";
import { type ConnectorId, type NodeId, toConnectorId, toNodeId } from "../../ids.ts";

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

export function nodeId(value: unknown): NodeId {
  return toNodeId(text(value));
}

export function nodeIdOrNull(value: unknown): NodeId | null {
  return value === null ? null : nodeId(value);
}

export function connectorId(value: unknown): ConnectorId {
  return toConnectorId(text(value));
}

/** Only the engine itself writes texts that are read like this. */
export function json<T>(value: unknown): T {
  return JSON.parse(text(value)) as T;
}

export function jsonOrNull<T>(value: unknown): T | null {
  return value === null ? null : json<T>(value);
}

/** A missing flag is false. */
export function flag(value: unknown): boolean {
  return value === true;
}

export function integer(value: unknown): number {
  if (!Number.isInteger(value)) throw new TypeError(`expected an integer, not ${String(value)}`);
  return Number(value);
}

export function integerOrNull(value: unknown): number | null {
  return value === null ? null : integer(value);
}

export function usageOrNull(value: unknown): AssetUsage | null {
  return jsonOrNull<AssetUsage>(value);
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

export function word<T extends string>(known: readonly T[]): (value: unknown) => T {
  return (value) => oneOf(known, value);
}
