/** The tests of a project, as checks. */
import { MAX_TEXT_CHARACTERS } from "../../catalog/limits.ts";
import { PLAIN_CHECK } from "../connector.ts";
import type { DbtTest, DbtUnitTest, PendingCheck } from "./check-shapes.ts";
import type { InputNames } from "./input-names.ts";

/** dbt's own tests. Their arguments contain all columns that they need. */
const BUILT_IN = new Set(["not_null", "unique", "accepted_values", "relationships"]);

/** How deep the arguments of a test are searched for texts. */
const MAX_ARGUMENT_DEPTH = 8;

/**
 * A data test: a generic one, such as `not_null`, or a singular one, which is a query of its own.
 * @returns null if the test is disabled
 */
export function toDataTest(test: DbtTest & { id: string }, inputs: InputNames): PendingCheck | null {
  const { name, config, depends_on: dependsOn, test_metadata: metadata } = test;
  if (!config.enabled) return null;
  const common = {
    ...PLAIN_CHECK,
    object: test.id,
    name,
    severity: config.severity.toLowerCase() === "warn" ? ("warn" as const) : ("error" as const),
  };
  const sql = test.compiled_code || test.compiled_sql || null;
  if (!metadata) {
    const text = sql ?? (test.raw_code || test.raw_sql);
    const texts = [{ assets: dependsOn, text, instead: true }];
    return { ...common, kind: "singular", assets: dependsOn, sql, texts };
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
    return { ...generic, columns };
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

type Rows = NonNullable<DbtUnitTest["expect"]>["rows"];

/**
 * A unit test: dbt runs a model's SQL over given rows and compares the result with expected rows.
 * @returns null if the test is disabled, or the project does not have its model
 */
export function toUnitTest(test: DbtUnitTest & { id: string }, inputs: InputNames): PendingCheck | null {
  const model =
    test.depends_on.find((asset) => asset.startsWith("model.")) ??
    inputs.find(`ref('${test.model}')`, test.package_name);
  if (!test.config.enabled || model === null) return null;
  const given = test.given.flatMap(({ input, rows }) => {
    const asset = input.trim() === "this" ? model : inputs.find(input, test.package_name);
    return asset === null ? [] : [needsOf(asset, rows)];
  });
  const needs = [needsOf(model, test.expect?.rows), ...given];
  return {
    ...PLAIN_CHECK,
    object: test.id,
    name: test.name,
    kind: "unit",
    assets: needs.map(({ asset }) => asset),
    columns: needs.flatMap(({ asset, names }) => names.map((name) => ({ asset, name, type: "" }))),
    texts: needs.flatMap(({ asset, text }) => (text === "" ? [] : [{ assets: [asset], text, instead: false }])),
  };
}

/** Rows written as objects have column names as keys. For SQL and CSV, the whole text is searched for names. */
function needsOf(asset: string, rows: Rows | undefined): { asset: string; names: string[]; text: string } {
  if (typeof rows === "string") return { asset, names: [], text: rows };
  return { asset, names: [...new Set((rows ?? []).flatMap(Object.keys))], text: "" };
}
