/** Defines a metric that no connector states, and changes one that people defined. */
import type { ReactNode } from "react";
import { useQuery } from "urql";
import { Link, useLocation, useParams } from "wouter";

import { useMayWrite, useSession } from "../../app/session/session.ts";
import { pathOfNode } from "../../assets/asset-row.ts";
import type { ResultOf } from "../../graphql/graphql.ts";
import { useChange } from "../../graphql/requests.ts";
import { Icon } from "../../parts/marks.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { Page, useTitle, Panel } from "../../parts/page.tsx";
import { showToast } from "../../parts/toast.tsx";
import { METRIC_TO_EDIT, PEOPLE, UPDATE, DEFINE } from "./documents.ts";
import { MetricForm, changedFields, changedMeaning } from "./metric-form.tsx";
import { NoMetric } from "./metric-page.tsx";
import { TextField } from "../../parts/form.tsx";

type EditedMetric = NonNullable<ResultOf<typeof METRIC_TO_EDIT>["metric"]>;

export function EditPage() {
  const { id = "" } = useParams();
  const asked = useQuery({ query: METRIC_TO_EDIT, variables: { id }, requestPolicy: "network-only" });
  const name = asked[0].data?.metric?.displayName;
  useTitle(name === undefined ? "Edit a metric" : `Edit ${name}`);
  const path = pathOfNode({ id, type: "metric" });
  const back = <Link href={path}>Back to the metric</Link>;
  if (!useMayWrite()) return <MayNot what="edit" back={back} />;
  return (
    <Loaded isPage what="the metric" asked={asked} rows={8} missing={<NoMetric />}>
      {(metric) =>
        metric.sourceConnector !== PEOPLE || metric.kind === null ? (
          <Panel isPage icon="lock" title="A connector defines this metric" action={back}>
            Change it in {metric.sourceConnector}. The next sync brings the change here.
          </Panel>
        ) : (
          <Page
            above={{ href: path, label: metric.displayName }}
            title={`Edit ${metric.displayName}`}
            lead={`Its name for programs stays ${metric.name}.`}
          >
            <Edit key={metric.id} metric={metric} kind={metric.kind} />
          </Page>
        )
      }
    </Loaded>
  );
}

function MayNot({ what, back }: { what: string; back: ReactNode }) {
  return (
    <Panel isPage icon="lock" title={`You may not ${what} metrics`} action={back}>
      This needs the role engineer or admin. Ask an admin of this workspace.
    </Panel>
  );
}

function Edit({ metric, kind }: { metric: EditedMetric; kind: NonNullable<EditedMetric["kind"]> }) {
  const saving = useChange(UPDATE, { types: ["Metric"] });
  const [, navigate] = useLocation();
  const path = pathOfNode({ id: metric.id, type: "metric" });
  const isCertified = metric.certification === "certified";
  const initial = {
    displayName: metric.displayName,
    kind,
    expression: metric.definition.expression,
    description: metric.description ?? "",
    grain: metric.definition.grain ?? "",
    owner: metric.owner ?? "",
    dimensions: metric.definition.dimensions,
    tags: metric.tags,
    filters: metric.definition.filters,
    sources: metric.namedSources,
  };
  const before = { ...initial, sources: initial.sources.map(({ id }) => id) };
  return (
    <MetricForm
      initial={initial}
      sent={saving}
      submit="Save"
      cancel={path}
      renderNote={(given) => (
        <LapseNote isCertified={isCertified} changed={changedMeaning(changedFields(before, given))} />
      )}
      onSubmit={async (given) => {
        const { displayName, ...changes } = changedFields(before, given);
        // A blank name for people is the name for programs, as when a metric is defined.
        const named = displayName === undefined ? {} : { displayName: displayName || metric.name };
        const answer = await saving.change({ input: { id: metric.id, ...changes, ...named } });
        const saved = answer?.updateMetric?.metric;
        if (!saved) return;
        const hasLapsed = isCertified && saved.certification !== "certified";
        showToast(hasLapsed ? "Saved. Its certification has lapsed." : "Saved.");
        navigate(path);
      }}
    />
  );
}

function LapseNote({ isCertified, changed }: { isCertified: boolean; changed: readonly string[] }) {
  const lapses = isCertified && changed.length > 0;
  return (
    <p role="status" className={lapses ? "notice warn form-width small" : "form-width hint"}>
      {lapses && (
        <>
          <Icon name="warning" size={12} /> You changed its {WORDS.format(changed)}. When you save, its certification
          lapses, unless only the spelling differs. So do the certifications of metrics that are computed from it.
        </>
      )}
      {!lapses &&
        "A change of its names, description, owner or tags leaves certifications as they are. A change of anything else lapses its own and those of metrics that are computed from it."}
    </p>
  );
}

/** Without a comma before "and". */
const WORDS = new Intl.ListFormat("en-GB");

export function DefinePage() {
  const { user } = useSession();
  const defining = useChange(DEFINE, { types: ["Metric"] });
  const [, navigate] = useLocation();
  if (!useMayWrite()) return <MayNot what="define" back={<Link href="/metrics">All metrics</Link>} />;
  return (
    <Page
      title="Define a metric"
      lead="For metrics that no connector states. It is listed and certified like any other."
    >
      <MetricForm
        initial={{ kind: "simple", owner: user.email }}
        sent={defining}
        submit="Define the metric"
        cancel="/metrics"
        onSubmit={async (given, form) => {
          const name = String(form.get("name") ?? "").trim();
          const displayName = given.displayName || null;
          const answer = await defining.change({ input: { ...given, name, displayName } });
          const metric = answer?.defineMetric?.metric;
          if (!metric) return;
          showToast("The metric is defined.");
          navigate(pathOfNode({ id: metric.id, type: "metric" }));
        }}
      >
        <TextField
          label="Name"
          name="name"
          required
          maxLength={200}
          autoFocus
          placeholder="net_revenue"
          hint="For programs. It can never be changed."
        />
      </MetricForm>
    </Page>
  );
}
