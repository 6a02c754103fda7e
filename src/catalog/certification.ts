/** How a metric comes to be certified and ceases to be: the steps of its trail, and whose word holds. */
import { hash } from "node:crypto";

import type { CatalogNode } from "./asset.ts";
import { type ConnectorLayer, type Curation, vouchingOf } from "./layers.ts";
import type { MetricDefinition } from "./metric.ts";

export const CERTIFICATION_ACTIONS = ["certify", "withdraw", "decay", "state", "retract"] as const;

type MetricCertification = "certified" | "pending";

/** One step in the history of a metric's certification; never changed once written. */
export interface CertificationStep {
  /**
   * `certify` and `withdraw` are people's; `decay` follows a change of what was certified; `state` and `retract` are the
   * word of the metric's own source, given and taken back.
   */
  action: (typeof CERTIFICATION_ACTIONS)[number];
  from: MetricCertification;
  to: MetricCertification;
  /** An e-mail address, or what acted: `command line`, `crawl`, `connector NAME`. */
  actor: string;
  /** ISO 8601, UTC. */
  at: string;
  note: string;
  /** `definitionHash` of the definition that it is about. */
  definitionHash: string;
}

/** Whose word is to hold from now on. */
export type CertificationWord =
  | { says: "certified"; by: string; at: string }
  /** `anew`: whether a new word of the source lifts it, or a person's alone. */
  | { says: "pending"; until: "certified anew" | "vouched anew" }
  | { says: "as the source does" };

/** What a metric depended on when it was certified: a text that `fingerprint` names. Only its writer reads it. */
export interface KeptDependencies {
  fingerprint: string;
  text: string;
}

/** The history of one metric's certification. */
export interface Trail {
  /** Oldest first. */
  steps: CertificationStep[];
  /** Of what it depends on; null where none is kept. */
  fingerprint: string | null;
}

/** What somebody saw of a metric before they acted on it. */
export interface CertificationSeen extends Pick<CatalogNode, "certification" | "certifiedBy" | "certifiedAt"> {
  /** How many steps its trail had. */
  steps: number;
}

/** A change of a metric's certification, all of it at once. */
export interface CertificationChange {
  /** Refused where it is no longer so: two who act at once cannot both be right. */
  seen: CertificationSeen;
  /** Null leaves the word that holds. */
  word: CertificationWord | null;
  /** Null adds none. */
  step: CertificationStep | null;
  /** What it depends on from now on; null keeps none. */
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

/** The curation with another word on the certification, as every engine lays it. */
export function layWord(curation: Curation, word: CertificationWord, layers: readonly ConnectorLayer[]): Curation {
  const { certification: _c, certifiedBy: _b, certifiedAt: _a, pendingOver: _o, ...others } = curation;
  switch (word.says) {
    case "certified":
      return { ...others, certification: "certified", certifiedBy: word.by, certifiedAt: word.at };
    case "pending": {
      const pending = { ...others, certification: "pending" } as const;
      return word.until === "vouched anew" ? { ...pending, pendingOver: vouchingOf(layers) } : pending;
    }
    case "as the source does":
      return others;
  }
}

/** SHA-256, in hexadecimal digits, over all that says what is measured: its shown name does not. */
export function definitionHash({ kind, expression, grain, dimensions, filters }: MetricDefinition): string {
  return hash("sha256", JSON.stringify([kind, expression, grain, dimensions, filters]), "hex");
}

/**
 * The step by which the metric's own source brought it where its trail does not yet stand; null where the trail is up to
 * date. What a crawl has not recorded yet is so already part of the trail, and is recorded the same.
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

/** Whether a step is the one that the certification shown comes from. */
function isAbout({ action, actor, at }: CertificationStep, { certifiedBy, certifiedAt }: CatalogNode): boolean {
  const sameTime = certifiedAt === null || at === certifiedAt;
  return sameTime && (action === "certify" || certifiedBy === null || actor === certifiedBy);
}
