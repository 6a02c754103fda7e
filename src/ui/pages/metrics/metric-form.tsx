/** The form of a metric that people define. */
import { type ReactNode, useState } from "react";
import { Link } from "wouter";

import type { NodeRow } from "../../assets/asset-row.ts";
import { AssetPicker } from "../../assets/find-nodes.tsx";
import type { useChange } from "../../graphql/requests.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { TypeIcon } from "../../parts/marks.tsx";
import { FieldGroup, SelectField, TextAreaField, TextField, Form } from "../../parts/form.tsx";
import type { VariablesOf } from "../../graphql/graphql.ts";
import type { NodeType } from "../../parts/node-types.ts";
import type { UPDATE } from "./documents.ts";

const KINDS: readonly { value: MetricKind; label: string }[] = [
  { value: "simple", label: "Simple: one aggregate over its sources" },
  { value: "ratio", label: "Ratio: one value divided by another" },
  { value: "cumulative", label: "Cumulative: an aggregate that adds up over time" },
  { value: "derived", label: "Derived: a formula over other metrics" },
  { value: "conversion", label: "Conversion: the share of one event that is followed by another" },
];

interface MetricFormProps {
  initial: Partial<Omit<GivenDefinition, "sources">> & { sources?: readonly Source[] };
  /** What became of it when it was sent. */
  sent: Pick<ReturnType<typeof useChange>, "isBusy" | "fault" | "faults">;
  /** The words on the button. */
  submit: string;
  /** Where one goes instead. */
  cancel: string;
  onSubmit: (given: GivenDefinition, form: FormData) => Promise<void>;
  /** Shown above the buttons, by what is typed so far. */
  renderNote?: (given: Partial<GivenDefinition>) => ReactNode;
  /** Fields above all others. */
  children?: ReactNode;
}

export function MetricForm(props: MetricFormProps) {
  const { initial, sent, submit, cancel, onSubmit, renderNote, children } = props;
  const [sources, setSources] = useState(initial.sources ?? []);
  // The fields keep their texts themselves. What is noted of them follows each change.
  const [typed, setTyped] = useState<FormData | null>(null);
  const given = typed === null ? { sources: sources.map(({ id }) => id) } : readDefinition(typed, sources);
  /** @param separator between the values of a list */
  const text = (name: Exclude<keyof GivenDefinition, "sources">, separator = "") => {
    const value = initial[name] ?? "";
    return { name, defaultValue: typeof value === "string" ? value : value.join(separator) };
  };
  return (
    <Form
      fault={sent.fault}
      faults={sent.faults}
      onEdit={setTyped}
      onSubmit={(form) => void onSubmit(readDefinition(form, sources), form)}
      buttons={
        <>
          <Button label={submit} type="submit" look="primary" isBusy={sent.isBusy} />
          <Link href={cancel}>Cancel</Link>
        </>
      }
    >
      <div className="stack roomy form-width">
        {children}
        <TextField label="Name for people" {...text("displayName")} maxLength={200} placeholder="Net revenue" />
        <TextAreaField label="What it measures" {...text("description")} rows={2} />
        <SelectField label="Kind" {...text("kind")} choices={KINDS} />
        <TextAreaField
          label="Expression"
          {...text("expression")}
          required
          rows={3}
          maxLength={10_000}
          placeholder="sum(net_revenue_eur)"
          hint="SQL over its sources, or a formula over other metrics."
        />
        <Sources sources={sources} onChange={setSources} />
        <TextAreaField
          label="Only where"
          {...text("filters", "\n")}
          rows={2}
          hint="SQL conditions, one a line."
          placeholder="not is_test"
        />
        <div className="pair">
          <TextField label="Grain" {...text("grain")} placeholder="day" />
          <TextField label="Dimensions" {...text("dimensions", ", ")} hint="Separated by commas." />
        </div>
        <div className="pair">
          <TextField label="Owner" {...text("owner")} type="email" />
          <TextField label="Tags" {...text("tags", ", ")} hint="Separated by commas." />
        </div>
      </div>
      {renderNote?.(given)}
    </Form>
  );
}

function Sources({
  sources,
  onChange,
}: {
  sources: readonly Source[];
  onChange: (sources: readonly Source[]) => void;
}) {
  return (
    <FieldGroup label="Computed from" name="sources">
      <ul>
        {sources.map((source) => (
          <li key={source.id} className="row wrap">
            <TypeIcon type={source.type} /> {source.fqn}
            <IconButton
              icon="close"
              label={`Remove ${source.fqn}`}
              onClick={() => onChange(sources.filter(({ id }) => id !== source.id))}
            />
          </li>
        ))}
      </ul>
      <AssetPicker
        label="Add a source"
        placeholder="Find a column, table, model or metric"
        onPick={(asset) => onChange([...sources.filter(({ id }) => id !== asset.id), asset])}
      />
      <p className="form-width hint">
        If all are columns of one table, the expression shows how each is used, and the certification watches exactly
        these.
      </p>
    </FieldGroup>
  );
}

type MetricUpdate = VariablesOf<typeof UPDATE>["input"];
type MetricKind = NonNullable<MetricUpdate["kind"]>;
type Source = Pick<NodeRow, "id" | "fqn"> & { type: NodeType };

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

function readDefinition(form: FormData, sources: readonly Source[]): GivenDefinition {
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

/** The fields that decide what a metric means. A change of any other lapses no certification. */
const MEANING = ["kind", "expression", "sources", "filters", "grain", "dimensions"] as const;

/** The fields that differ. Only these are sent, so that what others changed in the meantime stays. */
export function changedFields(before: GivenDefinition, given: Partial<GivenDefinition>): Partial<GivenDefinition> {
  const isSame = (name: keyof GivenDefinition): boolean => {
    const [old, fresh = old] = [before[name], given[name]];
    if (typeof old === "string" || typeof fresh === "string") return String(old).trim() === fresh;
    // A list is edited as one text. Another separator is no change.
    if (name !== "sources") return spaced(old) === spaced(fresh);
    return old.toSorted().join() === fresh.toSorted().join();
  };
  return Object.fromEntries(
    Object.entries(given).filter(([name]) => !isSame(name as keyof GivenDefinition)),
  ) as Partial<GivenDefinition>;
}

export function changedMeaning(changed: Partial<GivenDefinition>): string[] {
  return MEANING.filter((field) => field in changed);
}

function spaced(list: readonly string[]): string {
  return list
    .join(" ")
    .replaceAll(/[\s,]+/g, " ")
    .trim();
}
