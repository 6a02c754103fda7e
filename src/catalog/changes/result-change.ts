/** A change of a check's result: it fails now and did not before, or it no longer fails. */
import { excerpt } from "../../characters.ts";
import type { NodeId } from "../../ids.ts";
import type { PastNode } from "../asset.ts";
import { type Check, type CheckOutcome, type CheckResult, isFailing } from "../check.ts";
import type { FoundEntry } from "./change.ts";
import { toEntry } from "./compare-states.ts";

/** It is written in the transaction that records the result. */
export interface ResultChange extends Pick<Check, "name" | "kind"> {
  /** The check's id. */
  check: string;
  /** The moment of the new result. */
  moment: number;
  /** The asset that the check belongs to. */
  node: NodeId;
  /** The columns that the check needs; [] if there are more than `MAX_COLUMNS`. */
  columns: NodeId[];
  /** Whether the check failed before; null if there was no result. */
  wasFailing: boolean | null;
  status: CheckOutcome;
  /** As in `CheckResult`, at most `MAX_MESSAGE` characters. */
  message: string;
}

/** Of more columns, the check counts as one of the whole asset. */
const MAX_COLUMNS = 20;
const MAX_MESSAGE = 500;

/** @returns null if the check fails as it did before, or does not fail and did not */
export function findResultChange(
  before: CheckResult | null,
  { id, name, kind, assets, columns, result }: Check,
): Omit<ResultChange, "moment"> | null {
  const [wasFailing, fails] = [isFailing(before), isFailing(result)];
  const [node] = assets;
  if (result === null || node === undefined || fails === null || fails === (wasFailing ?? false)) return null;
  const { status, message } = result;
  const ids = columns.length > MAX_COLUMNS ? [] : columns.map((column) => column.id);
  return { check: id, name, kind, node, columns: ids, wasFailing, status, message: excerpt(message, MAX_MESSAGE) };
}

const SCHEDULE = ["schedule_missed", "schedule_met"] as const;
const TEST = ["check_failed", "check_passed"] as const;

/** @param node as it is afterwards */
export function toResultEntry(change: ResultChange, node: PastNode): FoundEntry {
  const { check: id, name, kind, columns, wasFailing, status, message } = change;
  const before = wasFailing === null ? null : wasFailing ? "fail" : "pass";
  const [failed, passed] = kind === "schedule" ? SCHEDULE : TEST;
  const entry = { kind: wasFailing === true ? passed : failed, field: "result", before, after: status } as const;
  return toEntry(node, entry, { check: { id, name, message, columns } });
}
