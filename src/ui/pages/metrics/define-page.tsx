/** Defines a metric that no connector states. */
import { Link, useLocation } from "wouter";

import { useMayWrite, useSession } from "../../app/session/session-store.ts";
import { pathOfNode } from "../../assets/asset-row.ts";
import { useChange } from "../../graphql/use-change.ts";
import { TextField } from "../../parts/field.tsx";
import { Page } from "../../parts/page.tsx";
import { Panel } from "../../parts/panel.tsx";
import { showToast } from "../../parts/toast.tsx";
import { DEFINE } from "./documents.ts";
import { MetricForm, NO_DEFINITION } from "./metric-form.tsx";

export function DefinePage() {
  const { user } = useSession();
  const defining = useChange(DEFINE, { types: ["Metric"] });
  const [, navigate] = useLocation();
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
      <MetricForm
        initial={{ ...NO_DEFINITION, owner: user.email }}
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
