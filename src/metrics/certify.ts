/** People certify metrics, and take it back. */
import { isMetric, type MetricNode } from "../catalog/asset.ts";
import { type CertificationChange, definitionHash } from "../catalog/certification.ts";
import { hasMoreCharacters } from "../characters.ts";
import type { Clock } from "../clock.ts";
import { AppError, badField, notFound } from "../errors.ts";
import type { CatalogGraph } from "../graph/catalog-graph.ts";
import { isPlainLine } from "../plain-text.ts";
import { readClosure } from "./closure.ts";
import { seenOf, settleCertifications } from "./settle.ts";
import { dependenciesOf, toKept } from "./dependencies.ts";

export interface CertificationParts {
  graph: CatalogGraph;
  clock: Clock;
}

export interface CertificationRequest {
  workspace: string;
  id: string;
  /** Named in the trail. */
  actor: string;
  /** Whose certification it is: an e-mail address. */
  by: string;
  note: string;
}

/** Named where it turns out only now that a certification no longer holds. */
const OURSELVES = "tributary";
const MAX_NOTE_CHARACTERS = 1_000;

/**
 * Certifies a metric as it is now, with all that feeds it.
 * @throws AppError `bad_request` for a bad note, `not_found`, `conflict` where it is certified or somebody else acted
 */
export function certifyMetric(parts: CertificationParts, request: CertificationRequest): Promise<MetricNode> {
  const { workspace, id, actor, by, note } = request;
  return change(parts, request, async (metric, at) => {
    if (metric.certification === "certified") {
      const who = metric.certifiedBy === null ? "" : ` by ${metric.certifiedBy}`;
      throw new AppError("conflict", `${metric.name} is certified already${who}; withdraw that first.`);
    }
    const dependencies = dependenciesOf(id, metric.metric, await readClosure(parts.graph, workspace, [metric]));
    const hashed = definitionHash(metric.metric);
    return {
      word: { says: "certified", by, at },
      step: { action: "certify", from: "pending", to: "certified", actor, at, note, definitionHash: hashed },
      dependencies: toKept(dependencies),
    };
  });
}

/**
 * Takes a certification back, the source's own too, until somebody certifies the metric anew.
 * @throws AppError `bad_request` for a bad note, `not_found`, `conflict` where it is pending or somebody else acted
 */
export function withdrawCertification(parts: CertificationParts, request: CertificationRequest): Promise<MetricNode> {
  const { actor, note } = request;
  return change(parts, request, (metric, at) => {
    if (metric.certification !== "certified") {
      throw new AppError("conflict", `${metric.name} is not certified: there is nothing to withdraw.`);
    }
    const hashed = definitionHash(metric.metric);
    return Promise.resolve({
      word: { says: "pending", until: "a person certifies it" },
      step: { action: "withdraw", from: "certified", to: "pending", actor, at, note, definitionHash: hashed },
      dependencies: null,
    });
  });
}

async function change(
  { graph, clock }: CertificationParts,
  { workspace, id, note }: CertificationRequest,
  decide: (metric: MetricNode, at: string) => Promise<Omit<CertificationChange, "seen" | "at">>,
): Promise<MetricNode> {
  requireNote(note);
  // What a crawl brought and did not record yet comes first; what it brings while we look is found right after.
  const settle = () => settleCertifications({ graph, workspace, actor: OURSELVES, now: clock.now, only: [id] });
  await settle();
  const metric = await getMetric(graph, workspace, id);
  const [trail = { steps: [], fingerprint: null }] = await graph.loadTrails(workspace, [id]);
  const at = clock.now().toISOString();
  const decided = await decide(metric, at);
  const outcome = await graph.certify(workspace, id, { ...decided, seen: seenOf(metric, trail), at });
  if (outcome === "missing") throw notFound("metric", id);
  if (outcome === "overtaken") {
    throw new AppError("conflict", `The certification of ${metric.name} was changed at the same moment: look again.`);
  }
  await settle();
  return getMetric(graph, workspace, id);
}

async function getMetric(graph: CatalogGraph, workspace: string, id: string): Promise<MetricNode> {
  const [node] = await graph.loadNodes(workspace, [id]);
  if (!isMetric(node)) throw notFound("metric", id);
  return node;
}

function requireNote(note: string): void {
  if (hasMoreCharacters(note, MAX_NOTE_CHARACTERS)) {
    throw badField("note", `must have at most ${MAX_NOTE_CHARACTERS} characters`);
  }
  if (!isPlainLine(note)) throw badField("note", "must be one line of sound Unicode, without control characters");
}
