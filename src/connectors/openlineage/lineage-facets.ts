/** What is kept of the facets that tell lineage: `lineage`, which is explicit, and `columnLineage`. */
import { type ColumnUse, joinUses, TRANSFORMATIONS } from "../../catalog/edge.ts";
import type { KeptInput, KeptLineage } from "./kept.ts";
import type { DatasetName } from "./naming.ts";
import type { DatasetFacetValues, LineageEntry, LineageInput, Transformation } from "./shapes.ts";

type ColumnLineageFacet = DatasetFacetValues["columnLineage"];
type InputField = ColumnLineageFacet["fields"][string]["inputFields"][number];

/** Both forms of the facet: transformations of each input, and the older ones of all inputs of a field. */
export function toColumnLineage({ fields, dataset }: ColumnLineageFacet): KeptLineage {
  return {
    inputs: (dataset ?? []).map((input) => toInput(input, "INDIRECT")),
    fields: Object.entries(fields).map(([field, { inputFields, transformationType, transformationDescription }]) => {
      const older = transformationType ? [toOlderUse(transformationType, transformationDescription ?? "")] : [];
      return [field, inputFields.map((input) => toInput(input, "DIRECT", older))];
    }),
  };
}

export function toExplicitLineage({ inputs, fields }: Pick<LineageEntry, "inputs" | "fields">): KeptLineage {
  return {
    inputs: (inputs ?? []).flatMap((input) => toKeptInput(input)),
    fields: Object.entries(fields ?? {}).map(([field, of]) => [
      field,
      of.inputs.flatMap((input) => toKeptInput(input)),
    ]),
  };
}

type LineageEntries = { entries?: LineageEntry[] | null | undefined; lineage?: LineageEntry[] | null | undefined };

interface TargetLineage {
  /** Null: the event's own job. */
  target: DatasetName | null;
  lineage: KeptLineage;
}

/** The explicit lineage by its targets. A target that is another job is left out: its own events tell what it reads. */
export function toEntries({ entries, lineage }: LineageEntries): TargetLineage[] {
  return (entries ?? lineage ?? []).flatMap((entry): TargetLineage[] => {
    const { namespace, name, type } = entry;
    const isJob = type?.toUpperCase() === "JOB";
    if (isJob && !namespace && !name) return [{ target: null, lineage: toExplicitLineage(entry) }];
    if (isJob || !namespace || !name) return [];
    return [{ target: { namespace, name }, lineage: toExplicitLineage(entry) }];
  });
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

/** A masked value is told from others by its expression. */
function toExpression(description: string, isMasked: boolean): string {
  const cut = description.slice(0, MAX_EXPRESSION).toWellFormed();
  if (!isMasked) return cut;
  return cut === "" ? "masked" : `masked: ${cut}`;
}
