/** How a metric becomes certified and stops being certified: the steps of its trail, and what decides. */
import { hash } from "node:crypto";

import type { CatalogNode } from "./asset.ts";
import { type ConnectorLayer, type Curation, sourceCertification } from "./layers.ts";
import type { MetricDefinition } from "./metric.ts";

export const CERTIFICATION_ACTIONS = ["certify", "withdraw", "lapse", "state", "retract"] as const;

type MetricCertification = "certified" | "pending";

/** One step in the history of a metric's certification. A step never changes after it is written. */
export interface CertificationStep {
  /**
   * People `certify` and `withdraw`. A certification `lapse`s when something changes that the metric depends on. The
   * metric's own source can `state` a certification and `retract` it.
   */
  action: (typeof CERTIFICATION_ACTIONS)[number];
  from: MetricCertification;
  to: MetricCertification;
  /** An e-mail address, or the part of the service that acted: `command line`, `crawl`, `connector NAME`. */
  actor: string;
  /** ISO 8601, UTC. */
  at: string;
  note: string;
  /** The `definitionHash` of the metric's definition at that time. */
  definitionHash: string;
}

/** Reads a step that a graph stored as JSON. Only the engines' `addStep` and `replaceSteps` write this text. */
export function parseStep(stored: string): CertificationStep {
  return JSON.parse(stored);
}

/** What decides the certification from now on. */
export type CertificationDecision =
  | { says: "certified"; by: string; at: string }
  /** `until`: whether only a person can end it, or also a new certification by the source. */
  | { says: "pending"; until: "a person certifies it" | "its source certifies it again" }
  | { says: "as the source does" };

/**
 * What a metric depended on when it was certified. Only the code that writes the text reads it; `fingerprint` is its
 * hash.
 */
export interface KeptDependencies {
  fingerprint: string;
  text: string;
}

/** The history of one metric's certification. */
export interface Trail {
  /** Oldest first. */
  steps: CertificationStep[];
  /** The fingerprint of what the metric depends on; null if no dependencies are kept. */
  fingerprint: string | null;
}

/** The certification that somebody saw before they acted on the metric. */
export interface CertificationSeen extends Pick<CatalogNode, "certification" | "certifiedBy" | "certifiedAt"> {
  /** How many steps the metric's trail had. */
  steps: number;
}

/** A change of a metric's certification. All of it happens at once or not at all. */
export interface CertificationChange {
  /** The change is refused if the metric no longer looks like this, because two people may act at the same time. */
  seen: CertificationSeen;
  /** Null keeps what decides now. */
  decision: CertificationDecision | null;
  /** Null adds none. */
  step: CertificationStep | null;
  /** What the metric depends on from now on; null removes what was kept. */
  dependencies: KeptDependencies | null;
  /** ISO 8601, UTC. */
  at: string;
}

export function isAsSeen(shown: Omit<CertificationSeen, "steps">, steps: number, seen: CertificationSeen): boolean {
  return (
    steps === seen.steps &&
    shown.certification === seen.certification &&
    shown.certifiedBy === seen.certifiedBy &&
    shown.certifiedAt === seen.certifiedAt
  );
}

/** The curation after this decision on the certification. Every engine uses it. */
export function applyDecision(
  curation: Curation,
  decision: CertificationDecision,
  layers: readonly ConnectorLayer[],
): Curation {
  const { certification: _c, certifiedBy: _b, certifiedAt: _a, pendingOver: _o, ...others } = curation;
  switch (decision.says) {
    case "certified":
      return { ...others, certification: "certified", certifiedBy: decision.by, certifiedAt: decision.at };
    case "pending": {
      const pending = { ...others, certification: "pending" } as const;
      return decision.until === "its source certifies it again"
        ? { ...pending, pendingOver: sourceCertification(layers) }
        : pending;
    }
    case "as the source does":
      return others;
  }
}

/** SHA-256, in hexadecimal digits, of the parts that say what is measured. The display name is not one of them. */
export function definitionHash({ kind, expression, grain, dimensions, filters }: MetricDefinition): string {
  return hash("sha256", JSON.stringify([kind, expression, grain, dimensions, filters]), "hex");
}

/**
 * The step that is missing in the trail because the metric's own source certified it or took that back. Returns null if
 * the trail is up to date. A reader adds this step to the trail before a crawl has recorded it, and the crawl then
 * records the same step.
 */
export function unrecordedStep(metric: CatalogNode, steps: readonly CertificationStep[]): CertificationStep | null {
  if (metric.metric === null) return null;
  const last = steps.at(-1);
  const from = last?.to ?? "pending";
  const source = metric.sourceConnector;
  const step = { from, definitionHash: definitionHash(metric.metric) };
  if (metric.certification !== "certified") {
    if (from === "pending") return null;
    const note = `Connector ${source} no longer states that it is certified.`;
    return { ...step, action: "retract", to: "pending", actor: `connector ${source}`, at: metric.updatedAt, note };
  }
  if (last?.to === "certified" && isAbout(last, metric)) return null;
  return {
    ...step,
    action: "state",
    to: "certified",
    actor: metric.certifiedBy ?? `connector ${source}`,
    at: metric.certifiedAt ?? metric.updatedAt,
    note: `Stated by connector ${source}.`,
  };
}

/**
 * The steps that a trail had at an earlier time. The time of a `state` is the source's own and not that of the sync that
 * recorded it, so such a step counts if it or a later step was shown then.
 * @param at ISO 8601, UTC
 * @param metric as it was at that time; null if it was not there
 */
export function stepsUntil(
  at: string,
  metric: CatalogNode | null,
  steps: readonly CertificationStep[],
): CertificationStep[] {
  const later = steps.findIndex((step) => step.action !== "state" && step.at > at);
  const possible = later === -1 ? steps : steps.slice(0, later);
  const isShown = (step: CertificationStep): boolean => metric?.certification === "certified" && isAbout(step, metric);
  const last = possible.findLastIndex((step) => step.action !== "state" || isShown(step));
  return possible.slice(0, last + 1);
}

/** Whether the certification that is shown comes from this step. */
function isAbout({ action, actor, at }: CertificationStep, { certifiedBy, certifiedAt }: CatalogNode): boolean {
  const sameTime = certifiedAt === null || at === certifiedAt;
  return sameTime && (action === "certify" || certifiedBy === null || actor === certifiedBy);
}
