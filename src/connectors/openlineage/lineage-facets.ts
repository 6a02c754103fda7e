/** What is kept of the lineage facets: `lineage`, which is explicit, and `columnLineage`. */
import { z } from "zod";

import { type ColumnUse, joinUses, TRANSFORMATIONS } from "../../catalog/edge.ts";
import { type DatasetFacts, joinFactsOfRun, type KeptInput, type KeptLineage } from "./kept.ts";
import type { DatasetName } from "./naming.ts";
import {
  columnField,
  type DatasetFacetValues,
  inputField,
  type LineageEntry,
  lineageField,
  type LineageInput,
  lineageInput,
  type Transformation,
} from "./shapes.ts";

type ColumnLineageFacet = DatasetFacetValues["columnLineage"];
type InputField = z.infer<typeof inputField>;

/**
 * Both forms of the facet: transformations of each input, and the older ones of all inputs of a field.
 * @throws z.ZodError
 */
export function* toColumnLineage({ fields, dataset }: ColumnLineageFacet): Generator<void, KeptLineage> {
  const lineage: KeptLineage = { inputs: (dataset ?? []).map((input) => toInput(input, "INDIRECT")), fields: [] };
  for (const [field, value] of Object.entries(fields)) {
    const path = ["fields", field];
    const { inputFields, transformationType, transformationDescription } = parseAt(path, columnField, value);
    const older = transformationType ? [toOlderUse(transformationType, transformationDescription ?? "")] : [];
    const inputs: KeptInput[] = [];
    for (const [at, input] of inputFields.entries()) {
      yield;
      inputs.push(toInput(parseAt([...path, "inputFields", at], inputField, input), "DIRECT", older));
    }
    lineage.fields.push([field, inputs]);
  }
  return lineage;
}

/** @throws z.ZodError */
export function* toExplicitLineage({
  inputs,
  fields,
}: Pick<LineageEntry, "inputs" | "fields">): Generator<void, KeptLineage> {
  const lineage: KeptLineage = { inputs: (inputs ?? []).flatMap((input) => toKeptInput(input)), fields: [] };
  for (const [field, value] of Object.entries(fields ?? {})) {
    const path = ["fields", field];
    const kept: KeptInput[] = [];
    for (const [at, input] of parseAt(path, lineageField, value).inputs.entries()) {
      yield;
      kept.push(...toKeptInput(parseAt([...path, "inputs", at], lineageInput, input)));
    }
    lineage.fields.push([field, kept]);
  }
  return lineage;
}

/** @throws z.ZodError with the whole path of the fault */
function parseAt<Value>(path: readonly (string | number)[], shape: z.ZodType<Value>, value: unknown): Value {
  const { success, data, error } = shape.safeParse(value);
  if (success) return data;
  throw new z.ZodError(error.issues.map((issue) => Object.assign(issue, { path: [...path, ...issue.path] })));
}

type LineageEntries = { entries?: LineageEntry[] | null | undefined; lineage?: LineageEntry[] | null | undefined };

interface TargetLineage {
  /** Null: the event's own job. */
  target: DatasetName | null;
  lineage: KeptLineage;
}

/** The explicit lineage by its targets. A target that is another job is left out, because its own events say what it reads. */
export function* toEntries({ entries, lineage }: LineageEntries): Generator<void, TargetLineage[]> {
  const targets: TargetLineage[] = [];
  for (const entry of entries ?? lineage ?? []) {
    const { namespace, name, type } = entry;
    const isJob = type?.toUpperCase() === "JOB";
    const target = !isJob && namespace && name ? { namespace, name } : null;
    if (target !== null || (isJob && !namespace && !name)) {
      targets.push({ target, lineage: yield* toExplicitLineage(entry) });
    }
  }
  return targets;
}

/**
 * Adds the lineage of a dataset that was renamed: its columns are those that it had under its old names.
 * @param columns those of that time
 */
export function withOldNames(
  facts: DatasetFacts,
  previous: readonly DatasetName[],
  at: string,
  columns = facts.columns?.value,
): DatasetFacts {
  if (previous.length === 0) return facts;
  const inputs = (field: string | null, uses: ColumnUse[]): KeptInput[] =>
    previous.map(({ namespace, name }) => ({ namespace, name, field, uses }));
  const copied = (columns ?? []).map(({ name }): KeptLineage["fields"][number] => {
    return [name, inputs(name, [{ kind: "DIRECT", transformation: "IDENTITY", expression: "" }])];
  });
  const said = { at, value: { inputs: inputs(null, []), fields: copied } };
  return joinFactsOfRun([facts, facts.lineage?.value ? { lineage: said } : { columnLineage: said }]);
}

/** How many pairs of columns the lineage has, where a field of the whole dataset counts once. */
export function countFlows(lineage: KeptLineage | null): number {
  return lineage === null ? 0 : lineage.fields.reduce((sum, [, inputs]) => sum + inputs.length, lineage.inputs.length);
}

/** A job as a source says only who made the data, which the event's outputs say too. */
function toKeptInput({ namespace, name, type, field, transformations }: LineageInput): KeptInput[] {
  if (type?.toUpperCase() === "JOB" || !namespace || !name) return [];
  return [{ namespace, name, field: field || null, uses: toUses(transformations ?? []) }];
}

function toInput(
  { namespace, name, field, transformations }: InputField,
  kind: ColumnUse["kind"],
  older: readonly ColumnUse[] = [],
): KeptInput {
  const uses = toUses(transformations ?? [], kind);
  return { namespace, name, field, uses: uses.length > 0 ? uses : [...older] };
}

function toUses(transformations: readonly Transformation[], otherwise: ColumnUse["kind"] = "DIRECT"): ColumnUse[] {
  return joinUses(
    transformations.map(({ type, subtype, description, masking }) => {
      const kind = toKind(type) ?? otherwise;
      return {
        kind,
        transformation: toTransformation(subtype ?? "", kind),
        expression: toExpression(description ?? "", masking === true),
      };
    }),
  );
}

function toKind(type: string): ColumnUse["kind"] | undefined {
  const upper = type.toUpperCase();
  return upper === "DIRECT" || upper === "INDIRECT" ? upper : undefined;
}

/** A subtype that is not known is the most general one of its kind. */
function toTransformation(subtype: string, kind: ColumnUse["kind"]): ColumnUse["transformation"] {
  const known = TRANSFORMATIONS.find((each) => each === subtype.toUpperCase());
  return known ?? (kind === "DIRECT" ? "TRANSFORMATION" : "CONDITIONAL");
}

function toOlderUse(type: string, description: string): ColumnUse {
  const upper = type.toUpperCase();
  const expression = toExpression(description, upper === "MASKED");
  return { kind: "DIRECT", transformation: toTransformation(upper, "DIRECT"), expression };
}

/** The older form repeats one description for every input, so a long one is cut. */
const MAX_EXPRESSION = 500;

/** The expression of a masked value says that it is masked. */
function toExpression(description: string, isMasked: boolean): string {
  const cut = description.slice(0, MAX_EXPRESSION).toWellFormed();
  if (!isMasked) return cut;
  return cut === "" ? "masked" : `masked: ${cut}`;
}
