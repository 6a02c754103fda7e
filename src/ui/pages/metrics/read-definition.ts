/** Reads the form of a metric, and finds the fields that changed. */
import type { FoundNode } from "../../assets/find-nodes.tsx";
import type { VariablesOf } from "../../graphql/graphql.ts";
import type { NodeType } from "../../parts/node-types.ts";
import type { UPDATE } from "./documents.ts";

type MetricUpdate = VariablesOf<typeof UPDATE>["input"];
export type MetricKind = NonNullable<MetricUpdate["kind"]>;
export type Source = Pick<FoundNode, "id" | "fqn"> & { type: NodeType };

export interface GivenDefinition {
  displayName: string;
  kind: MetricKind;
  expression: string;
  description: string;
  grain: string;
  owner: string;
  dimensions: string[];
  tags: string[];
  /** SQL conditions. */
  filters: string[];
  /** Ids. */
  sources: string[];
}

export function readDefinition(form: FormData, sources: readonly Source[]): GivenDefinition {
  const textOf = (name: string): string => String(form.get(name) ?? "").trim();
  const listOf = (name: string, separator: RegExp): string[] => textOf(name).split(separator).filter(Boolean);
  return {
    displayName: textOf("displayName"),
    // The choices are the schema's own values.
    kind: textOf("kind") as MetricKind,
    expression: textOf("expression"),
    description: textOf("description"),
    grain: textOf("grain"),
    owner: textOf("owner"),
    dimensions: listOf("dimensions", /\s*,\s*/),
    tags: listOf("tags", /\s*,\s*/),
    filters: listOf("filters", /\s*\n\s*/),
    sources: sources.map(({ id }) => id),
  };
}

/** The fields that decide what a metric means, as people call them. A change of any other lapses no certification. */
const MEANING = {
  kind: "kind",
  expression: "expression",
  sources: "sources",
  filters: "filters",
  grain: "grain",
  dimensions: "dimensions",
} as const;

/** The fields that differ. Only these are sent, so that what others changed in the meantime stays. */
export function changedFields(before: GivenDefinition, given: GivenDefinition): Partial<GivenDefinition> {
  const isSame = (name: keyof GivenDefinition): boolean => {
    const [old, fresh] = [before[name], given[name]];
    if (typeof old === "string" || typeof fresh === "string") return String(old).trim() === fresh;
    // A list is edited as one text. Another separator is no change.
    if (name !== "sources") return spaced(old) === spaced(fresh);
    return old.toSorted().join() === fresh.toSorted().join();
  };
  return Object.fromEntries(
    Object.entries(given).filter(([name]) => !isSame(name as keyof GivenDefinition)),
  ) as Partial<GivenDefinition>;
}

/** Names the changed fields that decide what the metric means. */
export function changedMeaning(changed: Partial<GivenDefinition>): string[] {
  return Object.entries(MEANING).flatMap(([field, name]) => (field in changed ? [name] : []));
}

function spaced(list: readonly string[]): string {
  return list
    .join(" ")
    .replaceAll(/[\s,]+/g, " ")
    .trim();
}
