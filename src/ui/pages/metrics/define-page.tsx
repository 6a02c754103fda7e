/** Defines a metric that no connector states. */
import { type FormEvent, useState } from "react";
import { type CombinedError, useMutation } from "urql";
import { Link, useLocation } from "wouter";

import { useMayWrite, useSession } from "../../app/session/use-session.ts";
import { useTitle } from "../../app/use-title.ts";
import { pathOfNode } from "../../assets/asset-row.ts";
import { AssetPicker } from "../../assets/asset-picker.tsx";
import type { FoundNode } from "../../assets/find-nodes.tsx";
import { TypeIcon } from "../../parts/badge.tsx";
import { Button, IconButton } from "../../parts/button.tsx";
import { SelectField, TextAreaField, TextField } from "../../parts/field.tsx";
import { Page } from "../../parts/page.tsx";
import { describeError, Panel } from "../../parts/panel.tsx";
import { showToast } from "../../parts/toast.tsx";
import styles from "./define-page.module.css";
import { CHANGES_METRICS, DEFINE } from "./documents.ts";

const KINDS = [
  { value: "simple", label: "Simple: one aggregate over its sources" },
  { value: "ratio", label: "Ratio: one value divided by another" },
  { value: "cumulative", label: "Cumulative: an aggregate that adds up over time" },
  { value: "derived", label: "Derived: a formula over other metrics" },
  { value: "conversion", label: "Conversion: the share of one event that is followed by another" },
] as const;

type Kind = (typeof KINDS)[number]["value"];

export function DefinePage() {
  useTitle("Define a metric");
  const mayWrite = useMayWrite();
  if (!mayWrite) {
    return (
      <Panel isPage icon="lock" title="You may not define metrics" action={<Link href="/metrics">All metrics</Link>}>
        This needs the role engineer or admin. Ask an admin of this workspace.
      </Panel>
    );
  }
  return (
    <Page
      title="Define a metric"
      lead="For metrics that no connector states. It is listed and certified like any other."
    >
      <Form />
    </Page>
  );
}

function Form() {
  const { user } = useSession();
  const [kind, setKind] = useState<Kind>("simple");
  const [sources, setSources] = useState<readonly FoundNode[]>([]);
  const [fault, setFault] = useState<CombinedError | null>(null);
  const [{ fetching }, define] = useMutation(DEFINE);
  const [, navigate] = useLocation();
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const textOf = (name: string): string => String(form.get(name) ?? "").trim();
    const listOf = (name: string, separator: RegExp): string[] => textOf(name).split(separator).filter(Boolean);
    const { data, error } = await define(
      {
        input: {
          name: textOf("name"),
          displayName: textOf("displayName") || null,
          kind,
          expression: textOf("expression"),
          description: textOf("description"),
          grain: textOf("grain"),
          owner: textOf("owner"),
          dimensions: listOf("dimensions", /\s*,\s*/),
          tags: listOf("tags", /\s*,\s*/),
          filters: listOf("filters", /\s*\n\s*/),
          sources: sources.map(({ id }) => id),
        },
      },
      CHANGES_METRICS,
    );
    const metric = data?.defineMetric?.metric;
    if (error || !metric) {
      setFault(error ?? null);
      return;
    }
    showToast("The metric is defined.");
    navigate(pathOfNode({ id: metric.id, type: "metric" }));
  };
  return (
    <form className={styles["form"]} onSubmit={submit}>
      <TextField
        label="Name"
        name="name"
        required
        maxLength={200}
        autoFocus
        placeholder="net_revenue"
        hint="For programs. It can never be changed."
      />
      <TextField label="Name for people" name="displayName" maxLength={200} placeholder="Net revenue" />
      <TextAreaField label="What it measures" name="description" rows={2} />
      <SelectField
        label="Kind"
        value={kind}
        choices={KINDS}
        onChange={(event) => setKind(KINDS.find(({ value }) => value === event.target.value)?.value ?? kind)}
      />
      <TextAreaField
        label="Expression"
        name="expression"
        required
        rows={3}
        maxLength={10_000}
        placeholder="sum(net_revenue_eur)"
        hint="SQL over its sources, or a formula over other metrics."
      />
      <div className={styles["sources"]}>
        <span className={styles["label"]}>Computed from</span>
        <ul>
          {sources.map((source) => (
            <li key={source.id}>
              <TypeIcon type={source.type} /> {source.fqn}
              <IconButton
                icon="close"
                label={`Remove ${source.fqn}`}
                onClick={() => setSources(sources.filter(({ id }) => id !== source.id))}
              />
            </li>
          ))}
        </ul>
        <AssetPicker
          label="Add a source"
          placeholder="Find a column, table, model or metric"
          onPick={(asset) => setSources([...sources.filter(({ id }) => id !== asset.id), asset])}
        />
        <p className={styles["hint"]}>
          If all are columns of one table, the expression shows how each is used, and the certification watches exactly
          these.
        </p>
      </div>
      <TextAreaField
        label="Only where"
        name="filters"
        rows={2}
        hint="SQL conditions, one a line."
        placeholder="not is_test"
      />
      <div className={styles["pair"]}>
        <TextField label="Grain" name="grain" placeholder="day" />
        <TextField label="Dimensions" name="dimensions" hint="Separated by commas." />
      </div>
      <div className={styles["pair"]}>
        <TextField label="Owner" name="owner" type="email" defaultValue={user.email} />
        <TextField label="Tags" name="tags" hint="Separated by commas." />
      </div>
      <div role="alert">{fault && <p className={styles["fault"]}>{describeError(fault)}</p>}</div>
      <div className={styles["buttons"]}>
        <Button type="submit" look="primary" isBusy={fetching}>
          Define the metric
        </Button>
        <Link href="/metrics">Cancel</Link>
      </div>
    </form>
  );
}
