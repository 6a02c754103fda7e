/** States a project's checks: its tests, the contracts of its models, and the freshness of its sources. */
import type { CheckResult, CheckStatement } from "../../catalog/check.ts";
import type { NodeRef } from "../../catalog/identity.ts";
import { type CrawlEvent, PLAIN_CHECK } from "../connector.ts";
import { MAX_TEXT_CHARACTERS } from "../../catalog/limits.ts";
import { checkNames } from "./check-results.ts";
import {
  contractColumnsShape,
  contractShape,
  type DbtTest,
  type DbtUnitTest,
  freshSourceShape,
  type PendingCheck,
  testShape,
  unitTestShape,
} from "./check-shapes.ts";
import { InputNames } from "./input-names.ts";
import type { ProjectGraph } from "./project-graph.ts";
import { type Member, parseMember, type Wanted } from "./read-members.ts";
import { isRelation } from "./relation-ref.ts";

/** Makes a check when all names of the project are known. Returns null if there is nothing to check. */
type Make = (inputs: InputNames) => PendingCheck | null;

export const isCheck: Wanted = (section, key) =>
  section === "unit_tests" || (section === "nodes" && key.startsWith("test."));

/** Gathers the checks of a project while its manifest is read. */
export class ProjectChecks {
  readonly #inputs = new InputNames();
  readonly #pending: Make[] = [];

  /** Takes a test, or a model or source that may have a contract or a freshness check. */
  *add(member: Member): Generator<CrawlEvent> {
    const { section, key: id, value, excess } = member;
    if (isRelation(section, id)) {
      this.#inputs.add(structuredClone(id));
      // If it is too large, `stateRelation` reports the error.
      if (excess === null) this.#keep(section === "sources" ? toFreshness(id, value) : toContract(id, value), same);
    } else if (section === "unit_tests") {
      this.#keep(withId(id, yield* parseMember(member, unitTestShape)), toUnitTest);
    } else {
      this.#keep(withId(id, yield* parseMember(member, testShape)), toDataTest);
    }
  }

  /** Copies the value, because a slice would keep the file's whole chunk in memory. */
  #keep<T extends object>(value: T | null, make: (value: T, inputs: InputNames) => PendingCheck | null): void {
    if (value === null) return;
    const kept = structuredClone(value);
    this.#pending.push((inputs) => make(kept, inputs));
  }

  /** States all checks that have an asset in the graph. */
  *state(graph: ProjectGraph, results: ReadonlyMap<string, CheckResult>): Generator<CrawlEvent> {
    for (const make of this.#pending.splice(0)) {
      const check = make(this.#inputs);
      const statement = check === null ? null : toStatement(check, graph, results);
      if (statement !== null) yield { kind: "check", check: statement };
    }
  }
}

const same = <T>(check: T): T => check;

function withId<T extends object>(id: string, test: T | null): (T & { id: string }) | null {
  return test && Object.assign(test, { id });
}

function toStatement(
  check: PendingCheck,
  graph: ProjectGraph,
  results: ReadonlyMap<string, CheckResult>,
): CheckStatement | null {
  const refOf = (id: string): NodeRef[] => [graph.findById(id)].filter((ref) => ref !== null);
  const assets = [...new Set(check.assets)].flatMap(refOf);
  if (assets.length === 0) return null;
  return {
    ...check,
    assets,
    columns: check.columns.flatMap(({ asset: id, name: column, type }) =>
      refOf(id).map((asset) => ({ asset, name: column, type })),
    ),
    texts: check.texts.map(({ assets: ids, text, instead }) => ({ assets: ids.flatMap(refOf), text, instead })),
    result: results.get(check.object) ?? null,
  };
}

/** The contract of a model. Returns null if it has none that is enforced. */
function toContract(id: string, value: unknown): PendingCheck | null {
  const parsed = id.startsWith("model.") ? contractShape.safeParse(value) : undefined;
  if (parsed?.success !== true) return null;
  const { name, contract, config } = parsed.data;
  if (contract?.enforced !== true && config?.contract?.enforced !== true) return null;
  const parsedColumns = contractColumnsShape.safeParse(value);
  if (!parsedColumns.success) return null;
  return {
    ...PLAIN_CHECK,
    object: checkNames.contract(id),
    name: `contract of ${name}`,
    kind: "contract",
    assets: [id],
    columns: Object.entries(parsedColumns.data.columns ?? {}).map(([key, column]) => ({
      asset: id,
      name: column.name || key,
      type: column.data_type,
    })),
  };
}

/** The freshness check of a source. Returns null if it has none. */
function toFreshness(id: string, value: unknown): PendingCheck | null {
  const parsed = freshSourceShape.safeParse(value);
  if (!parsed.success) return null;
  const { name, source_name: source, config } = parsed.data;
  const freshness = config?.freshness ?? parsed.data.freshness ?? null;
  if (freshness === null || (freshness.warn_after ?? freshness.error_after) === null) return null;
  const field = config?.loaded_at_field || parsed.data.loaded_at_field;
  const query = config?.loaded_at_query || parsed.data.loaded_at_query;
  return {
    ...PLAIN_CHECK,
    object: checkNames.freshness(id),
    name: `freshness of ${source === "" ? "" : `${source}.`}${name}`,
    kind: "freshness",
    severity: freshness.error_after === null ? "warn" : "error",
    assets: [id],
    columns: field === "" ? [] : [{ asset: id, name: field, type: "" }],
    texts: [query, freshness.filter].flatMap((text) => (text === "" ? [] : [{ assets: [id], text, instead: false }])),
  };
}

/** dbt's own tests. Their arguments contain all columns that they need. */
const BUILT_IN = new Set(["not_null", "unique", "accepted_values", "relationships"]);

/** How deep the arguments of a test are searched for texts. */
const MAX_ARGUMENT_DEPTH = 8;

/**
 * A data test: a generic one, such as `not_null`, or a singular one, which is a query of its own.
 * @returns null if the test is disabled
 */
function toDataTest(test: DbtTest & { id: string }, inputs: InputNames): PendingCheck | null {
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
function toUnitTest(test: DbtUnitTest & { id: string }, inputs: InputNames): PendingCheck | null {
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
