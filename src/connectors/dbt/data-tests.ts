/** Data tests: generic ones, such as `not_null`, and singular ones, which are queries of their own. */
import { MAX_TEXT_CHARACTERS } from "../../catalog/limits.ts";
import type { DbtTest, PendingCheck } from "./check-shapes.ts";
import type { InputNames } from "./input-names.ts";

/** dbt's own tests. Their arguments contain all columns that they need. */
const BUILT_IN = new Set(["not_null", "unique", "accepted_values", "relationships"]);

/** How deep the arguments of a test are searched for texts. */
const MAX_ARGUMENT_DEPTH = 8;

/** @returns null if the test is disabled */
export function toDataTest(test: DbtTest & { id: string }, inputs: InputNames): PendingCheck | null {
  const { name, config, depends_on: dependsOn, test_metadata: metadata } = test;
  if (!config.enabled) return null;
  const common = {
    object: test.id,
    name,
    severity: config.severity.toLowerCase() === "warn" ? ("warn" as const) : ("error" as const),
  };
  const sql = test.compiled_code || test.compiled_sql || null;
  if (!metadata) {
    const text = sql ?? (test.raw_code || test.raw_sql);
    const texts = [{ assets: dependsOn, text, instead: true }];
    return { ...common, kind: "singular", test: "", assets: dependsOn, columns: [], sql, texts };
  }

  const kwargs = metadata.kwargs ?? {};
  const other = ["to", "compare_model"]
    .map((key) => findInput(kwargs[key], test, inputs))
    .find((found) => found !== null);
  const own = test.attached_node || (dependsOn.find((asset) => asset !== other) ?? dependsOn[0] ?? "");
  const assets = own === "" ? dependsOn : [...new Set([own, ...dependsOn])];
  const namespace = metadata.namespace === "dbt" ? "" : metadata.namespace;
  const generic = {
    ...common,
    kind: "generic",
    test: namespace === "" ? metadata.name : `${namespace}.${metadata.name}`,
    assets,
  } as const;
  const column = test.column_name || textOf(kwargs["column_name"]);
  const columns = column === "" ? [] : [{ asset: own, name: column, type: "" }];
  const field = textOf(kwargs["field"]);
  if (other != null && field !== "") columns.push({ asset: other, name: field, type: "" });

  if (namespace === "" && BUILT_IN.has(metadata.name) && config.where === "") {
    return { ...generic, columns, sql: null, texts: [] };
  }
  const { model: _, ...given } = kwargs;
  const text = [config.where, ...textsIn(given), sql ?? ""].join(" ").slice(0, MAX_TEXT_CHARACTERS);
  return { ...generic, columns, sql, texts: [{ assets, text, instead: true }] };
}

function findInput(reference: unknown, { package_name, depends_on }: DbtTest, inputs: InputNames): string | null {
  const found = inputs.find(textOf(reference), package_name);
  return found !== null && depends_on.includes(found) ? found : null;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** All texts in a test's arguments. */
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > MAX_ARGUMENT_DEPTH) return [];
  return Object.values(value).flatMap((inner) => textsIn(inner, depth + 1));
}
