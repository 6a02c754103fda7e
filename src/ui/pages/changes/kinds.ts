/** Kinds of changes in words. */
import type { ChangeKind } from "./documents.ts";

export const KINDS: Readonly<Record<ChangeKind, string>> = {
  asset_added: "added",
  asset_removed: "removed",
  asset_renamed: "renamed",
  column_added: "column added",
  column_removed: "column removed",
  column_retyped: "other data type",
  sql_changed: "new SQL",
  description_changed: "description",
  owner_changed: "owner",
  tags_changed: "tags",
  certification_changed: "certification",
  edge_added: "reads more",
  edge_removed: "reads less",
  check_failed: "check failed",
  check_passed: "check passed again",
  schedule_missed: "schedule missed",
  schedule_met: "on schedule again",
};

/** @param text from the address */
export function toKinds(text: string | null): ChangeKind[] | null {
  const kinds = Object.keys(KINDS).filter((kind): kind is ChangeKind => kind === text);
  return kinds.length === 0 ? null : kinds;
}
