/** Kept messages as they are read again, and what the subjects have in common. */
import type { CrawlError } from "../../catalog/crawl.ts";
import { nodeId, type NodeRef } from "../../catalog/identity.ts";
import { toWorkspaceName } from "../../ids.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { CrawlEvent, Kept, NoteTo, Settled } from "../connector.ts";
import type { PlacedNote } from "./kept.ts";

/** A message with its key, which orders messages of the same moment. */
export interface Keyed<Body> {
  key: string;
  /** Characters of its text. */
  size: number;
  body: Body;
}

/** In the order of their times, whatever the order of their arrival. Only `readEvent` writes the texts. */
export function parseKept<Body extends { at: string }>(kept: readonly Kept[]): Keyed<Body>[] {
  return kept
    .map(({ key, body }) => ({ key, size: body.length, body: JSON.parse(body) as Body }))
    .toSorted((a, b) => compareCodePoints(a.body.at, b.body.at) || compareCodePoints(a.key, b.key));
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** When what was said at a time ends to count; null: never. */
export function expiryOf(at: string, days: number | undefined): string | null {
  return days === undefined ? null : new Date(Date.parse(at) + days * DAY_MS).toISOString();
}

/** Equal for equal places. The workspace does not count. */
export function placeId(ref: NodeRef): string {
  return nodeId(toWorkspaceName(""), ref);
}

/** The subject of everything that is said about a dataset. It is the same for all names of the dataset. */
export function subjectOf(ref: NodeRef): string {
  return `dataset:${placeId(ref)}`;
}

export function noteTo(note: PlacedNote): NoteTo {
  return { subject: subjectOf(note.ref), body: JSON.stringify(note) };
}

export function warning(code: string, object: string, message: string): CrawlEvent & { kind: "error" } {
  const error: CrawlError = { code, message, object, stage: "read", severity: "warning", retryable: false };
  return { kind: "error", error };
}

export function ignoredFacets(object: string, ignored: readonly string[]): (CrawlEvent & { kind: "error" })[] {
  return [...new Set(ignored)].map((fault) =>
    warning(
      "facet_ignored",
      object,
      `Of ${object} a facet was left out, because it does not fit its schema: ${fault}.`,
    ),
  );
}

/** States nothing any more. */
export function nothing(subject: string, needed: ReadonlySet<string> = new Set()): Settled {
  return { events: inScope(subject, []), needed, notes: [], expiresAt: null };
}

export function inScope(scope: string, events: readonly CrawlEvent[]): CrawlEvent[] {
  return [{ kind: "begin", scope }, ...events, { kind: "end", scope, complete: true }];
}
