/** Unit tests: a model's SQL is run over given rows, and its result compared with expected ones. */
import type { DbtUnitTest } from "./check-shapes.ts";
import type { InputNames } from "./input-names.ts";
import type { PendingCheck } from "./pending-check.ts";

type Rows = NonNullable<DbtUnitTest["expect"]>["rows"];

/** Null for a test that is switched off, or whose model the project does not have. */
export function toUnitTest(id: string, test: DbtUnitTest, inputs: InputNames): PendingCheck | null {
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
    object: id,
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

/** Rows that are written as objects name their columns; SQL and CSV hold the names among other words. */
function needsOf(asset: string, rows: Rows | undefined): { asset: string; names: string[]; text: string } {
  if (typeof rows === "string") return { asset, names: [], text: rows };
  return { asset, names: [...new Set((rows ?? []).flatMap(Object.keys))], text: "" };
}
