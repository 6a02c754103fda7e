/** A check before the whole project is known. */
import type { CheckStatement } from "../../catalog/check.ts";

/** A check whose assets go by dbt's unique ids: they are known when all of the project is. */
export interface PendingCheck extends Omit<CheckStatement, "result" | "assets" | "columns" | "texts"> {
  assets: string[];
  columns: { asset: string; name: string; type: string }[];
  texts: { assets: readonly string[]; text: string; instead: boolean }[];
}
