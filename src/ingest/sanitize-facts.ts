/** Cleans the facts that a source states: corrects them, or leaves them out with an error. */
import { isEmailAddress } from "../catalog/email.ts";
import type { NodeFacts } from "../catalog/statement.ts";
import { isStorableName } from "../catalog/text.ts";
import { toUsage } from "../catalog/usage.ts";
import { type CrawlError, crawlError } from "../catalog/crawl.ts";

export const MAX_NAME_CHARACTERS = 1_000;

export function isName(text: string): boolean {
  return text.length <= MAX_NAME_CHARACTERS && text.trim() !== "" && isStorableName(text);
}

/**
 * Corrects broken Unicode, moves an owner that is not an e-mail address to `ownerName`, and converts times to UTC. Tags
 * that are not valid names are left out, with an error in `errors`. `bound-statement.ts` has limited the size before.
 */
export function sanitizeFacts(facts: NodeFacts, errors: { add: (error: CrawlError) => void }): NodeFacts {
  const tags = facts.tags.filter(isName);
  if (tags.length < facts.tags.length) {
    const message = `A tag was left out: it must be 1 to ${MAX_NAME_CHARACTERS} characters of valid Unicode.`;
    errors.add(crawlError({ code: "invalid_tag", message, object: facts.fqn, stage: "write" }));
  }
  const owned = isEmailAddress(facts.owner);
  const certifiedAt = facts.certifiedAt === null ? Number.NaN : Date.parse(facts.certifiedAt);
  const { usage: told, columnLineage: lineage, ...rest } = facts;
  const usage = told === undefined ? null : toUsage(told);
  const certified = facts.certifiedBy !== null && isEmailAddress(facts.certifiedBy);
  return {
    ...rest,
    ...(usage === null ? {} : { usage }),
    sourceId: sanitizeText(facts.sourceId),
    description: sanitizeText(facts.description),
    tags,
    owner: owned ? facts.owner : "",
    ownerName: sanitizeText(owned ? facts.ownerName : facts.ownerName || facts.owner),
    certifiedBy: certified ? facts.certifiedBy : null,
    certifiedAt: Number.isNaN(certifiedAt) ? null : new Date(certifiedAt).toISOString(),
    dataType: sanitizeText(facts.dataType),
    ...(facts.documentedType === undefined ? {} : { documentedType: sanitizeText(facts.documentedType) }),
    gap: sanitizeText(facts.gap),
    materialization: sanitizeText(facts.materialization),
    url: facts.url === null ? null : sanitizeText(facts.url),
    sql: facts.sql === null ? null : sanitizeText(facts.sql),
    columnLineage: lineage && { ...lineage, reason: sanitizeText(lineage.reason) },
    meta: mend(facts.meta),
    ...(facts.latest === undefined ? {} : { latest: mend(facts.latest) }),
    metric: facts.metric && mend(facts.metric),
  };
}

/** Stores accept neither lone surrogates nor the null character. */
export function sanitizeText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

/** The same with all texts in it corrected. */
function mend<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), mendJson) as T;
}

/** A reviver for `JSON.parse`. */
function mendJson(_key: string, value: unknown): unknown {
  if (typeof value === "string") return sanitizeText(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [sanitizeText(key), inner]));
}
