/** Assertions: what is tested about datasets, with the last result. */
import type { CheckKind, CheckOutcome, CheckResult, CheckStatement } from "../../catalog/check.ts";
import type { NodeRef } from "../../catalog/identity.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import { PLAIN_CHECK } from "../connector.ts";
import type { Aspects } from "./aspects.ts";
import { columnName } from "./columns.ts";
import type { Entity } from "./entity.ts";
import { lastPart, parseField } from "./urn.ts";

type Info = NonNullable<Aspects["assertionInfo"]>;

/** The dataset that the assertion is about; null if none is named. */
export function datasetOf({ aspects: { assertionInfo: info, assertionRunEvent: run } }: Entity): string | null {
  const named = info && [
    info.datasetAssertion?.dataset,
    ...[info.freshnessAssertion, info.volumeAssertion, info.sqlAssertion].map((each) => each?.entity),
    ...[info.fieldAssertion, info.schemaAssertion, info.customAssertion].map((each) => each?.entity),
    run?.asserteeUrn,
  ];
  return named?.find((urn) => urn !== undefined && urn !== "") ?? null;
}

const KINDS = new Map<string, CheckKind>([
  ["FRESHNESS", "freshness"],
  ["SQL", "singular"],
  ["DATA_SCHEMA", "contract"],
]);

/** @param ref of the dataset that it is about */
export function stateCheck({ urn, aspects }: Entity, ref: NodeRef, info: Info): CheckStatement {
  const { datasetAssertion: dataset, sqlAssertion: query, customAssertion: custom, fieldAssertion: field } = info;
  const { dbt_unique_id: dbtId = "" } = info.customProperties;
  const { fieldValuesAssertion: values, fieldMetricAssertion: metric } = field ?? {};
  const word = dataset?.operator || values?.operator || metric?.metric || info.volumeAssertion?.type || info.type;
  const test = dataset?.nativeType || custom?.type || word.toLowerCase();
  const named = [...(dataset?.fields ?? []), custom?.field ?? ""].flatMap((each) => parseField(each)?.path ?? []);
  const ofField = values?.field.path ?? metric?.field.path ?? field?.fieldPath ?? "";
  const paths = ofField === "" ? named : [...named, ofField];
  return {
    ...PLAIN_CHECK,
    // dbt's own id, so that the connector of dbt states the same check.
    object: dbtId || urn,
    name: dbtId.split(".")[2] || info.description || test || lastPart(urn),
    kind: KINDS.get(info.type) ?? "generic",
    test,
    assets: [ref],
    columns: paths.map((path) => ({ asset: ref, name: columnName(path), type: "" })),
    sql: query?.statement || dataset?.logic || custom?.logic || null,
    result: toResult(aspects),
  };
}

/**
 * Makes one check of two assertions about different datasets. The result is that of the last run.
 * @param info of the other assertion
 */
export function joinCheck(check: CheckStatement, other: CheckStatement, info: Info): void {
  if (other.assets.some((ref) => isTested(ref, info))) check.assets.unshift(...other.assets);
  else check.assets.push(...other.assets);
  check.columns.push(...other.columns);
  if (compareCodePoints(other.result?.ranAt ?? "", check.result?.ranAt ?? "") > 0) check.result = other.result;
}

/** Whether dbt's test belongs to the dataset. Its argument `model` names the dataset, such as `{{ get_where_subquery(ref('orders')) }}`. */
function isTested({ parts }: NodeRef, { datasetAssertion: dataset, customAssertion: custom }: Info): boolean {
  const { model = "" } = { ...dataset?.nativeParameters, ...custom?.nativeParameters };
  return [...model.matchAll(/'([^']*)'|"([^"]*)"/g)].some(([, single, double]) => (single ?? double) === parts.at(-1));
}

const OUTCOMES = new Map<string, CheckOutcome>([
  ["SUCCESS", "pass"],
  ["FAILURE", "fail"],
  ["ERROR", "error"],
]);

function toResult({ assertionRunEvent: run }: Aspects): CheckResult | null {
  const status = OUTCOMES.get(run?.result?.type ?? "");
  if (run === undefined || status === undefined || run.status !== "COMPLETE") return null;
  const { unexpectedCount = null, nativeResults = {} } = run.result ?? {};
  const failures = Number(nativeResults["failures"]);
  const ranAt = new Date(run.timestampMillis);
  return {
    status,
    message: nativeResults["message"] ?? "",
    failures:
      unexpectedCount ?? (nativeResults["failures"] !== undefined && Number.isInteger(failures) ? failures : null),
    ranAt: Number.isNaN(ranAt.getTime()) ? null : ranAt.toISOString(),
  };
}
