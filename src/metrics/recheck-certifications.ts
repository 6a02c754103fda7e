/**
 * Brings the certifications of a workspace up to date with the graph. It records what sources say about their own
 * metrics, and ends a certification if something that the metric depends on has changed. It may be repeated.
 */
import { type CatalogNode, isMetric, type MetricNode } from "../catalog/asset.ts";
import {
  type CertificationChange,
  type CertificationSeen,
  definitionHash,
  type Trail,
  unrecordedStep,
} from "../catalog/certification.ts";
import { type Closure, readClosure, toClosureNode } from "../catalog/dependencies/closure.ts";
import { compareDependencies } from "../catalog/dependencies/compare.ts";
import { type Dependencies, dependenciesOf } from "../catalog/dependencies/dependencies.ts";
import { type Difference, toNote } from "../catalog/dependencies/differences.ts";
import { keepKnowledge } from "../catalog/dependencies/keep-knowledge.ts";
import type { CatalogGraph } from "../graph/catalog-graph.ts";
import type { NodeId, SyncId, WorkspaceId } from "../ids.ts";
import type { AuditStore } from "../metadata/audit.ts";
import { RESOLVER_VERSION } from "../sql-lineage/statement-key.ts";
import { changeCertification } from "./change-certification.ts";
import { createClosureReader } from "./closure-reader.ts";
import { parseDependencies, toKept } from "./kept-dependencies.ts";
import { listMetrics } from "./list-metrics.ts";

export interface RecheckOptions {
  graph: CatalogGraph;
  audit: Pick<AuditStore, "append">;
  workspace: WorkspaceId;
  /** The actor to record if a certification lapses. */
  actor: string;
  now: () => Date;
  /** The sync that asks for it. Its notices are gathered. */
  syncId?: SyncId;
  /** Only these metrics; all if absent. */
  only?: readonly NodeId[];
  /** Metrics that were certified. Whoever certified or owned one that is gone is told. */
  certifiedBefore?: readonly MetricNode[];
  signal?: AbortSignal;
}

const GONE = "The metric is gone.";

interface MetricTrail {
  metric: MetricNode;
  trail: Trail;
}

export async function recheckCertifications(options: RecheckOptions): Promise<void> {
  const { graph, workspace, signal } = options;
  // First: what fails later is tried again by the next sync, which does not know what was there before.
  await tellGone(options);
  const metrics = await findMetrics(options);
  const trails = await graph.loadTrails(
    workspace,
    metrics.map(({ id }) => id),
  );
  const all = metrics.flatMap((metric, i): MetricTrail[] => {
    const trail = trails[i];
    return trail === undefined ? [] : [{ metric, trail }];
  });
  const certified = all.filter(({ metric }) => metric.certification === "certified");
  const roots = certified.map(({ metric }) => toClosureNode(metric));
  const closure = await readClosure(createClosureReader(graph, workspace), roots, signal);
  for (const entry of all) {
    signal?.throwIfAborted();
    await recheck(entry, closure, options);
  }
}

/** A metric that is gone has no certification to change. If it comes back and depends on the same, it is certified again. */
async function tellGone({
  graph,
  audit,
  workspace,
  actor,
  syncId,
  certifiedBefore = [],
}: RecheckOptions): Promise<void> {
  if (certifiedBefore.length === 0) return;
  const present = await graph.loadNodes(
    workspace,
    certifiedBefore.map(({ id }) => id),
  );
  for (const [i, metric] of certifiedBefore.entries()) {
    if (present[i]?.existence === "held") continue;
    const { id, name, owner, ownerName, sourceConnector: connector, tags, certifiedAt } = metric;
    const was = { owner: owner || ownerName, connector, tags };
    const details = { metric: metric.metric.displayName || name, note: GONE };
    const event = { workspaceId: workspace, action: "certification_lapsed", actor, subject: id, details } as const;
    await audit.append({ ...event, source: "service" }, [workspace, id, certifiedAt, GONE].join("\n"), { syncId, was });
  }
}

function findMetrics({ graph, workspace, only, signal }: RecheckOptions): Promise<MetricNode[]> {
  if (only === undefined) return listMetrics(graph, workspace, { signal });
  return graph.loadNodes(workspace, only).then((nodes) => nodes.filter(isMetric));
}

async function recheck({ metric, trail }: MetricTrail, closure: Closure, options: RecheckOptions): Promise<void> {
  const { graph, audit, workspace } = options;
  const at = options.now().toISOString();
  const step = unrecordedStep(metric, trail.steps);
  const isCertified = metric.certification === "certified";
  const now = isCertified ? dependenciesOf(metric.id, closure, RESOLVER_VERSION) : null;
  const fresh = now === null ? null : toKept(now);
  const change = { seen: seenOf(metric, trail), decision: null, step: null, dependencies: fresh, at };
  // If somebody else changes the metric in between, the graph refuses this change, and the other call has rechecked it.
  const apply = (more: Partial<CertificationChange>) =>
    changeCertification(graph, {
      workspace,
      metric,
      change: { ...change, ...more },
      // The key keeps the event from being written again if a process dies before it changes the graph.
      record: (event, key) => audit.append({ ...event, source: "service" }, key, { syncId: options.syncId }),
    });
  if (step !== null) await apply({ step, decision: isCertified ? { says: "as the source does" } : null });
  else if (now !== null && fresh !== null && fresh.fingerprint !== trail.fingerprint) {
    const kept = await findBefore(metric.id, options);
    const { before, differences } = await compareDependencies(kept, now, createClosureReader(graph, workspace));
    if (differences.length > 0) await apply(lapseOf(metric, differences, { actor: options.actor, at }));
    else {
      const known = before === null ? fresh : toKept(keepKnowledge(before, now));
      if (known.fingerprint !== trail.fingerprint) await apply({ dependencies: known });
    }
  }
}

export function seenOf({ certification, certifiedBy, certifiedAt }: CatalogNode, { steps }: Trail): CertificationSeen {
  return { certification, certifiedBy, certifiedAt, steps: steps.length };
}

/**
 * The stored dependencies. Returns null if none are stored: there is nothing to compare with, and the present ones are
 * stored.
 */
async function findBefore(id: NodeId, { graph, workspace }: RecheckOptions): Promise<Dependencies | null> {
  const [text = null] = await graph.loadDependencies(workspace, [id]);
  return text === null ? null : parseDependencies(text);
}

function lapseOf(
  { metric }: MetricNode,
  differences: readonly Difference[],
  { actor, at }: { actor: string; at: string },
): Partial<CertificationChange> {
  return {
    decision: { says: "pending", until: "its source certifies it again" },
    step: {
      action: "lapse",
      from: "certified",
      to: "pending",
      actor,
      at,
      note: toNote(differences),
      definitionHash: definitionHash(metric),
    },
    dependencies: null,
  };
}
