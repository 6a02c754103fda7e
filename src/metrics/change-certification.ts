/** Changes the certification of a metric. Each step is in the workspace's audit trail as well. */
import type { MetricNode } from "../catalog/asset.ts";
import type { CertificationChange, CertificationStep } from "../catalog/certification.ts";
import type { CatalogGraph } from "../graph/catalog-graph.ts";
import type { CertificationOutcome } from "../graph/catalog-writes.ts";
import type { WorkspaceId } from "../ids.ts";
import type { AuditAction } from "../metadata/audit-actions.ts";
import type { AuditEvent } from "../metadata/records.ts";

/** What the audit trail calls each step. */
const AUDIT_ACTIONS: Readonly<Record<CertificationStep["action"], AuditAction>> = {
  certify: "metric_certified",
  state: "metric_certified",
  withdraw: "certification_withdrawn",
  retract: "certification_withdrawn",
  lapse: "certification_lapsed",
};

type StepEvent = Pick<AuditEvent, "workspaceId" | "action" | "actor" | "subject" | "details">;

interface StepChange {
  workspace: WorkspaceId;
  metric: MetricNode;
  change: CertificationChange;
  /**
   * Writes the event of the audit trail.
   * @param key the same for the same step of the same metric
   */
  record: (event: StepEvent, key: string) => Promise<void>;
}

/** The event is written first, because the two stores share no transaction, and every step must be in the audit trail. */
export async function changeCertification(
  graph: CatalogGraph,
  { workspace, metric, change, record }: StepChange,
): Promise<CertificationOutcome> {
  if (change.step !== null) {
    const { action, actor, note, definitionHash } = change.step;
    const details = { metric: metric.metric.displayName || metric.name, note };
    // A source may name any person as the certifier. That person did nothing here.
    const who =
      action === "state"
        ? { actor: `connector ${metric.sourceConnector}`, details: { ...details, certifiedBy: metric.certifiedBy } }
        : { actor, details };
    const event = { workspaceId: workspace, action: AUDIT_ACTIONS[action], subject: metric.id, ...who };
    await record(event, [workspace, metric.id, change.seen.steps, action, note, definitionHash].join("\n"));
  }
  return graph.certify(workspace, metric.id, change);
}
