/** What columns mean beside text and numbers: lists and maps are JSON text, and some numbers are yes or no. */
import { CamelCasePlugin } from "kysely";

import { type BoundValue, toBoundValue } from "./bound-value.ts";

/** Whatever table has a column of such a name, it has this meaning. */
const JSON_COLUMNS = [
  "allowlist",
  "details",
  "errors",
  "events",
  "grants",
  "kinds",
  "networks",
  "options",
  "scopes",
  "secrets",
  "state",
  "tries",
  "userIds",
  "waits",
];
const YES_OR_NO_COLUMNS = ["confirmRemoval", "hasPassword", "sso"];

const READS = new Map<string, (stored: unknown) => unknown>([
  // Only `toStoredValue` writes these texts.
  ...JSON_COLUMNS.map((name) => [name, (text: unknown) => JSON.parse(String(text))] as const),
  ...YES_OR_NO_COLUMNS.map((name) => [name, (number: unknown) => number !== 0] as const),
]);

/** Reads rows with names in camel case, and with the values that their columns mean. */
export class RowsPlugin extends CamelCasePlugin {
  protected override mapRow(stored: Record<string, unknown>): Record<string, unknown> {
    const row = super.mapRow(stored);
    for (const name in row) {
      const read = READS.get(name);
      if (read !== undefined && row[name] !== null) row[name] = read(row[name]);
    }
    return row;
  }
}

/** What is bound for a value. */
export function toStoredValue(value: unknown): BoundValue {
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  return toBoundValue(value);
}
