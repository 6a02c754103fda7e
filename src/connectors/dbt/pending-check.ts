/** A check whose assets are not resolved yet. */
import type { CheckStatement } from "../../catalog/check.ts";

/** Names its assets by dbt's unique ids, because their identity is known only when the whole project is read. */
export interface PendingCheck extends Omit<CheckStatement, "result" | "assets" | "columns" | "texts"> {
  assets: string[];
  columns: { asset: string; name: string; type: string }[];
  texts: { assets: readonly string[]; text: string; instead: boolean }[];
}
