/** People certify metrics and withdraw certifications. */
import { isMetric, type MetricNode } from "../catalog/asset.ts";
import { type CertificationChange, definitionHash } from "../catalog/certification.ts";
import { hasMoreCharacters } from "../characters.ts";
import type { Clock } from "../clock.ts";
import { AppError, badField, notFound } from "../errors.ts";
import type { CatalogGraph } from "../graph/catalog-graph.ts";
import type { NodeId, WorkspaceId } from "../ids.ts";
import { isPlainLine } from "../plain-text.ts";
import { createClosureReader, readClosure, toClosureNode } from "./closure.ts";
import { seenOf, recheckCertifications } from "./recheck-certifications.ts";
import { dependenciesOf, toKept } from "./dependencies.ts";

export interface CertificationParts {
  graph: CatalogGraph;
  clock: Clock;
}

export interface CertificationRequest {
  workspace: WorkspaceId;
  id: NodeId;
  /** The name in the trail. */
  actor: string;
  /** The e-mail address of the certifier. */
  by: string;
  note: string;
  /**
   * Writes the event of the audit trail. It runs before the change, because the two stores share no transaction, and
   * every change must be in the trail.
   */
  record?: (metric: MetricNode) => Promise<void>;
}

/** The actor of a step that is recorded here, such as a lapse that nobody had noticed. */
const SERVICE_ACTOR = "tributary";
const MAX_NOTE_CHARACTERS = 1_000;

/**
 * Certifies a metric as it is now, with everything that feeds it.
 * @throws AppError `bad_request` for a bad note, `not_found`, `conflict` if the metric is certified already or somebody
 * else changed its certification
 */
export function certifyMetric(parts: CertificationParts, request: CertificationRequest): Promise<MetricNode> {
  const { workspace, id, actor, by, note } = request;
  return change(parts, request, async (metric, at) => {
    if (metric.certification === "certified") {
      const who = metric.certifiedBy === null ? "" : ` by ${metric.certifiedBy}`;
      throw new AppError("conflict", `${metric.name} is certified already${who}; withdraw that first.`);
    }
    const closure = await readClosure(createClosureReader(parts.graph, workspace), [toClosureNode(metric)]);
    const dependencies = dependenciesOf(id, metric.metric, closure);
    const hashed = definitionHash(metric.metric);
    return {
      decision: { says: "certified", by, at },
      step: { action: "certify", from: "pending", to: "certified", actor, at, note, definitionHash: hashed },
      dependencies: toKept(dependencies),
    };
  });
}

/**
 * Withdraws a certification, also one by the source, until a person certifies the metric again.
 * @throws AppError `bad_request` for a bad note, `not_found`, `conflict` if the metric is pending or somebody else
 * changed its certification
 */
export function withdrawCertification(parts: CertificationParts, request: CertificationRequest): Promise<MetricNode> {
  const { actor, note } = request;
  return change(parts, request, (metric, at) => {
    if (metric.certification !== "certified") {
      throw new AppError("conflict", `${metric.name} is not certified: there is nothing to withdraw.`);
    }
    const hashed = definitionHash(metric.metric);
    return Promise.resolve({
      decision: { says: "pending", until: "a person certifies it" },
      step: { action: "withdraw", from: "certified", to: "pending", actor, at, note, definitionHash: hashed },
      dependencies: null,
    });
  });
}

async function change(
  { graph, clock }: CertificationParts,
  { workspace, id, note, record }: CertificationRequest,
  decide: (metric: MetricNode, at: string) => Promise<Omit<CertificationChange, "seen" | "at">>,
): Promise<MetricNode> {
  requireNote(note);
  // First records what a crawl has changed but not recorded yet. The second call records what a crawl changes in
  // between.
  const recheck = () => recheckCertifications({ graph, workspace, actor: SERVICE_ACTOR, now: clock.now, only: [id] });
  await recheck();
  const metric = await getMetric(graph, workspace, id);
  const [trail = { steps: [], fingerprint: null }] = await graph.loadTrails(workspace, [id]);
  const at = clock.now().toISOString();
  const decided = await decide(metric, at);
  await record?.(metric);
  const outcome = await graph.certify(workspace, id, { ...decided, seen: seenOf(metric, trail), at });
  if (outcome === "missing") throw notFound("metric", id);
  if (outcome === "overtaken") {
    throw new AppError(
      "conflict",
      `The certification of ${metric.name} was changed by somebody else at the same time: load it again.`,
    );
  }
  await recheck();
  return getMetric(graph, workspace, id);
}

async function getMetric(graph: CatalogGraph, workspace: WorkspaceId, id: NodeId): Promise<MetricNode> {
  const [node] = await graph.loadNodes(workspace, [id]);
  if (!isMetric(node)) throw notFound("metric", id);
  return node;
}

function requireNote(note: string): void {
  if (hasMoreCharacters(note, MAX_NOTE_CHARACTERS)) {
    throw badField("note", `must have at most ${MAX_NOTE_CHARACTERS} characters`);
  }
  if (!isPlainLine(note)) throw badField("note", "must be one line of valid Unicode, without control characters");
}
