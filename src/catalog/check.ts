/** Checks: what a source tests about assets and columns, and the result of the last run. */
import { hash } from "node:crypto";

import type { ConnectorId, NodeId, WorkspaceName } from "../ids.ts";
import type { NodeRef } from "./identity.ts";
import { fold } from "./text.ts";

export const CHECK_KINDS = ["generic", "singular", "unit", "contract", "freshness", "schedule", "run"] as const;
/**
 * generic: a test with a name and arguments, such as `not_null`. singular: a query of its own that must find no rows.
 * unit: a model's SQL is run over given rows and compared with expected ones.
 * contract: the columns and types that a model promises. freshness: how old a source's newest row may be.
 * schedule: when the next run of a pipeline has to begin. run: whether the last run of a pipeline succeeded.
 */
export type CheckKind = (typeof CHECK_KINDS)[number];

/** What is checked of pipelines. These checks go with their pipeline: no change of a column makes them fail. */
export const PIPELINE_CHECKS: ReadonlySet<CheckKind> = new Set(["schedule", "run"]);

/** The result of a check that ran. */
export const CHECK_OUTCOMES = ["pass", "fail", "warn", "error", "skipped"] as const;
export const CHECK_STATUSES = [...CHECK_OUTCOMES, "unknown"] as const;
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number];
/** unknown: no result was ever seen. */
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** The last run of a check. */
export interface CheckResult {
  status: CheckOutcome;
  /** The source's own message, in one or more plain lines; "" if it gave none. */
  message: string;
  /** How many rows failed; null if they were not counted. */
  failures: number | null;
  /** ISO 8601, UTC; null if unknown. */
  ranAt: string | null;
  /** Of a check that was skipped: whether it failed when it ran last. Absent if it never ran. */
  wasFailing?: boolean;
}

/** A column that a check needs. */
export interface CheckedColumn {
  /** The column's id. The catalog may not have it. */
  id: NodeId;
  /** The data type that a contract promises; "" for other checks. */
  type: string;
}

export interface Check {
  id: string;
  /** The source's own id, such as dbt's unique id. */
  object: string;
  name: string;
  kind: CheckKind;
  /** Such as `not_null` or `dbt_utils.unique_combination_of_columns`; "" if this is not a generic test. */
  test: string;
  /** What a failure means in the source: a warning, or an error. */
  severity: "warn" | "error";
  /** Ids of the tables and models that the check needs. The first one is the one it belongs to. */
  assets: NodeId[];
  columns: CheckedColumn[];
  /** Null if no result was ever seen. */
  result: CheckResult | null;
}

/** States that a check needs a node. `node` is a number as in `impact/source.ts`. */
export interface NeededBy {
  node: number;
  /** The check's id. */
  check: string;
  kind: CheckKind;
  /** As in `CheckedColumn`; "" for an asset. */
  type: string;
  /** The connector that states the check. */
  connectorId: ConnectorId;
}

/** A check as a connector states it. */
export interface CheckStatement extends Pick<Check, "object" | "name" | "kind" | "test" | "severity" | "result"> {
  /** The asset that the check belongs to comes first. The same connector must state all of them. */
  assets: NodeRef[];
  /** The columns that the source lists for this check. */
  columns: { asset: NodeRef; name: string; type: string }[];
  /**
   * Compiled SQL in the dialect of the first asset's platform. The check also needs the columns that it reads. Null if
   * there is none.
   */
  sql: string | null;
  /**
   * Texts that contain column names, such as SQL that is not compiled, arguments and given rows. They are read word by
   * word.
   */
  texts: {
    assets: NodeRef[];
    text: string;
    /** True if the text is read only when the SQL could not be read. */
    instead: boolean;
  }[];
}

/**
 * A check's id: 128 bits of SHA-256 over JSON of the workspace, the source's own id and the ids of the assets, as 32
 * hexadecimal digits. Two connectors that state the same test of the same tables therefore share one check.
 */
export function checkId(workspace: WorkspaceName, object: string, assets: readonly NodeId[]): string {
  return hash("sha256", JSON.stringify([workspace, "check", object, assets.toSorted()]), "hex").slice(0, 32);
}

/** The order of lists of checks: folded name, id. */
export function checkKey({ name, id }: Pick<Check, "name" | "id">): string {
  return `${fold(name)}\u0001${id}`;
}

/** Whether the check failed when it ran last, if it did not only warn; null if it is not known to have run. */
export function isFailing(result: CheckResult | null): boolean | null {
  if (result === null) return null;
  if (result.status === "skipped") return result.wasFailing ?? null;
  return result.status === "fail" || result.status === "error";
}

/** Notes with a result that says nothing whether the check failed before. */
export function afterResult(before: CheckResult | null, result: CheckResult): CheckResult {
  const wasFailing = isFailing(before);
  return result.status === "skipped" && wasFailing !== null ? { wasFailing, ...result } : result;
}

export function statusOf(result: CheckResult | null): CheckStatus {
  return result?.status ?? "unknown";
}
