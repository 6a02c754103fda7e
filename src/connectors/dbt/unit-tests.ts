/** Unit tests: dbt runs a model's SQL over given rows and compares the result with expected rows. */
import type { DbtUnitTest, PendingCheck } from "./check-shapes.ts";
import type { InputNames } from "./input-names.ts";

type Rows = NonNullable<DbtUnitTest["expect"]>["rows"];

/** @returns null if the test is disabled, or the project does not have its model */
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
    object: test.id,
    name: test.name,
    kind: "unit",
    test: "",
    severity: "error",
    assets: needs.map(({ asset }) => asset),
    columns: needs.flatMap(({ asset, names }) => names.map((name) => ({ asset, name, type: "" }))),
    sql: null,
    texts: needs.flatMap(({ asset, text }) => (text === "" ? [] : [{ assets: [asset], text, instead: false }])),
  };
}

/** Rows written as objects have column names as keys. For SQL and CSV, the whole text is searched for names. */
function needsOf(asset: string, rows: Rows | undefined): { asset: string; names: string[]; text: string } {
  if (typeof rows === "string") return { asset, names: [], text: rows };
  return { asset, names: [...new Set((rows ?? []).flatMap(Object.keys))], text: "" };
}
