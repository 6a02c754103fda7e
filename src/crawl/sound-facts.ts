/** What the catalog takes of a source's word as it stands, what it mends, and what it leaves out with an error. */
import { isEmailAddress } from "../catalog/email.ts";
import type { MetricDefinition } from "../catalog/metric.ts";
import type { NodeFacts } from "../catalog/statement.ts";
import { isStorableName } from "../catalog/text.ts";
import type { CrawlError } from "../catalog/crawl.ts";

export const MAX_NAME_CHARACTERS = 1_000;

export function isName(text: string): boolean {
  return text.length <= MAX_NAME_CHARACTERS && text.trim() !== "" && isStorableName(text);
}

/**
 * Broken Unicode is mended; an owner that is no e-mail address becomes a name; times become UTC; tags that are no names
 * are left out, and told in `errors`. How much there is of it has been bounded before: see `bound-statement.ts`.
 * @param object names the node in those errors
 */
export function soundFacts(facts: NodeFacts, object: string, errors: CrawlError[]): NodeFacts {
  const tags = facts.tags.filter(isName);
  if (tags.length < facts.tags.length) {
    const message = `A tag was left out: it must be 1 to ${MAX_NAME_CHARACTERS} characters of sound Unicode.`;
    errors.push({ code: "invalid_tag", message, object, stage: "write", severity: "error", retryable: false });
  }
  const owned = isEmailAddress(facts.owner);
  const certifiedAt = facts.certifiedAt === null ? Number.NaN : Date.parse(facts.certifiedAt);
  const certified = facts.certifiedBy !== null && isEmailAddress(facts.certifiedBy);
  return {
    ...facts,
    sourceId: mend(facts.sourceId),
    description: mend(facts.description),
    tags,
    owner: owned ? facts.owner : "",
    ownerName: mend(owned ? facts.ownerName : facts.ownerName || facts.owner),
    certifiedBy: certified ? facts.certifiedBy : null,
    certifiedAt: Number.isNaN(certifiedAt) ? null : new Date(certifiedAt).toISOString(),
    dataType: mend(facts.dataType),
    materialization: mend(facts.materialization),
    url: facts.url === null ? null : mend(facts.url),
    sql: facts.sql === null ? null : mend(facts.sql),
    columnLineage:
      facts.columnLineage === null ? null : { ...facts.columnLineage, reason: mend(facts.columnLineage.reason) },
    meta: JSON.parse(JSON.stringify(facts.meta), mendJson) as NodeFacts["meta"],
    metric: facts.metric === null ? null : mendMetric(facts.metric),
  };
}

/** Stores keep neither lone surrogates nor the null character. */
function mend(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

/** A reviver for JSON. */
function mendJson(_key: string, value: unknown): unknown {
  if (typeof value === "string") return mend(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [mend(key), inner]));
}

function mendMetric(metric: MetricDefinition): MetricDefinition {
  return {
    displayName: mend(metric.displayName),
    kind: metric.kind,
    expression: mend(metric.expression),
    grain: mend(metric.grain),
    dimensions: metric.dimensions.map(mend),
    filters: metric.filters.map(mend),
  };
}
