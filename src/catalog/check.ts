/** Checks: what a source tests of assets and columns, and how that went when it was last run. */
import { hash } from "node:crypto";

import type { NodeRef } from "./identity.ts";
import { fold } from "./text.ts";

export const CHECK_KINDS = ["generic", "singular", "unit", "contract", "freshness"] as const;
/**
 * generic: a test with a name and arguments, such as `not_null`. singular: a query of its own that must find no rows.
 * unit: a model's SQL is run over given rows and compared with expected ones.
 * contract: the columns and types that a model promises. freshness: how old a source's newest row may be.
 */
export type CheckKind = (typeof CHECK_KINDS)[number];

/** What a check that ran came to. */
const CHECK_OUTCOMES = ["pass", "fail", "warn", "error", "skipped"] as const;
export const CHECK_STATUSES = [...CHECK_OUTCOMES, "unknown"] as const;
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number];
/** unknown: no result of it was ever seen. */
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** The last run of a check. */
export interface CheckResult {
  status: CheckOutcome;
  /** In the source's words, in one or more plain lines; "" when it said nothing. */
  message: string;
  /** How many rows failed; null when it was not counted. */
  failures: number | null;
  /** ISO 8601, UTC; null when it is not known. */
  ranAt: string | null;
}

/** A column that a check needs. */
export interface CheckedColumn {
  /** The column's id. The catalog may not have it. */
  id: string;
  /** The data type that a contract promises; "" for every other check. */
  type: string;
}

export interface Check {
  id: string;
  /** The source's own name, such as dbt's unique id. */
  object: string;
  name: string;
  kind: CheckKind;
  /** Such as `not_null` or `dbt_utils.unique_combination_of_columns`; "" for all but generic tests. */
  test: string;
  /** What a failure means in the source: a warning, or an error. */
  severity: "warn" | "error";
  /** Ids of the tables and models that it needs, the one that it belongs to first. */
  assets: string[];
  columns: CheckedColumn[];
  /** Null when no result of it was ever seen. */
  result: CheckResult | null;
}

/** That a check needs a node, which goes by a number as in `impact/source.ts`. */
export interface NeededBy {
  node: number;
  /** Its id. */
  check: string;
  kind: CheckKind;
  /** As in `CheckedColumn`; "" for an asset. */
  type: string;
  /** Who says so. */
  connectorId: string;
}

/** A check as a connector states it. */
export interface CheckStatement extends Pick<Check, "object" | "name" | "kind" | "test" | "severity" | "result"> {
  /** The one that it belongs to first. All of them are stated by the same connector. */
  assets: NodeRef[];
  /** The columns that its source names as such. */
  columns: { asset: NodeRef; name: string; type: string }[];
  /** Compiled SQL of the first asset's platform, whose columns the check needs as well; null where there is none. */
  sql: string | null;
  /** Texts with names of columns in them, read word by word: SQL that is not compiled, arguments, given rows. */
  texts: {
    assets: NodeRef[];
    text: string;
    /** Whether it is read only where the SQL could not be. */
    instead: boolean;
  }[];
}

/**
 * A check's id: 128 bits of SHA-256 over JSON of the workspace, the source's own name and the ids of the assets, as 32
 * hexadecimal digits. So two connectors that state one test of the same tables mean one check.
 */
export function checkId(workspace: string, object: string, assets: readonly string[]): string {
  return hash("sha256", JSON.stringify([workspace, "check", object, assets.toSorted()]), "hex").slice(0, 32);
}

/** The order of lists of checks: folded name, id. */
export function checkKey({ name, id }: Pick<Check, "name" | "id">): string {
  return `${fold(name)}\u0001${id}`;
}

export function statusOf(result: CheckResult | null): CheckStatus {
  return result?.status ?? "unknown";
}
