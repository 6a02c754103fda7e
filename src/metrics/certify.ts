/** People certify metrics and withdraw certifications. */
import { change as changeAccess } from "../auth/change.ts";
import type { Origin } from "../auth/origin.ts";
import { isMetric, type MetricNode } from "../catalog/asset.ts";
import { type CertificationChange, definitionHash } from "../catalog/certification.ts";
import { readClosure, toClosureNode } from "../catalog/dependencies/closure.ts";
import { dependenciesOf } from "../catalog/dependencies/dependencies.ts";
import { hasMoreCharacters } from "../characters.ts";
import type { Clock } from "../clock.ts";
import { AppError, badField, notFound } from "../errors.ts";
import type { CatalogGraph } from "../graph/catalog-graph.ts";
import type { NodeId, WorkspaceId } from "../ids.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { isPlainLine } from "../plain-text.ts";
import { RESOLVER_VERSION } from "../sql-lineage/statement-key.ts";
import { changeCertification } from "./change-certification.ts";
import { createClosureReader } from "./closure-reader.ts";
import { toKept } from "./kept-dependencies.ts";
import { seenOf, recheckCertifications } from "./recheck-certifications.ts";

export interface CertificationParts {
  graph: CatalogGraph;
  store: MetadataStore;
  clock: Clock;
}

export interface CertificationRequest {
  origin: Origin;
  id: NodeId;
  /** The e-mail address of the certifier. */
  by: string;
  note: string;
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
  const { origin, id, by, note } = request;
  return change(parts, request, async (metric, at) => {
    if (metric.certification === "certified") {
      const who = metric.certifiedBy === null ? "" : ` by ${metric.certifiedBy}`;
      throw new AppError("conflict", `${metric.name} is certified already${who}; withdraw that first.`);
    }
    const closure = await readClosure(createClosureReader(parts.graph, origin.workspace.id), [toClosureNode(metric)]);
    const dependencies = dependenciesOf(id, closure, RESOLVER_VERSION);
    const hashed = definitionHash(metric.metric);
    return {
      decision: { says: "certified", by, at },
      step: {
        action: "certify",
        from: "pending",
        to: "certified",
        actor: origin.actor.name,
        at,
        note,
        definitionHash: hashed,
      },
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
  const { origin, note } = request;
  return change(parts, request, (metric, at) => {
    if (metric.certification !== "certified") {
      throw new AppError("conflict", `${metric.name} is not certified: there is nothing to withdraw.`);
    }
    const hashed = definitionHash(metric.metric);
    return Promise.resolve({
      decision: { says: "pending", until: "a person certifies it" },
      step: {
        action: "withdraw",
        from: "certified",
        to: "pending",
        actor: origin.actor.name,
        at,
        note,
        definitionHash: hashed,
      },
      dependencies: null,
    });
  });
}

async function change(
  { graph, store, clock }: CertificationParts,
  { origin, id, note }: CertificationRequest,
  decide: (metric: MetricNode, at: string) => Promise<Omit<CertificationChange, "seen" | "at">>,
): Promise<MetricNode> {
  requireNote(note);
  const workspace = origin.workspace.id;
  // First records what a crawl has changed but not recorded yet. The second call records what a crawl changes in
  // between.
  const { audit } = store;
  const recheck = () =>
    recheckCertifications({ graph, audit, workspace, actor: SERVICE_ACTOR, now: clock.now, only: [id] });
  await recheck();
  const metric = await getMetric(graph, workspace, id);
  const [trail = { steps: [], fingerprint: null }] = await graph.loadTrails(workspace, [id]);
  const at = clock.now().toISOString();
  const decided = await decide(metric, at);
  const outcome = await changeCertification(graph, {
    workspace,
    metric,
    change: { ...decided, seen: seenOf(metric, trail), at },
    record: (event) => changeAccess(store, origin, (nouns) => nouns.audit.append({ ...event, source: origin.source })),
  });
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
