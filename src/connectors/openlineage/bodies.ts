/** Reads kept messages, and makes the parts that the statements of all subjects have in common. */
import type { NodeRef } from "../../catalog/identity.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { CrawlEvent, Kept, SubjectStatements } from "../connector.ts";
import { type Fault, warningEvent } from "../faults.ts";
import { identityOf } from "../identity.ts";
import { writingJson } from "../../work/json-slices.ts";
import { parsingJson } from "../../work/json-values.ts";
import type { JobEventContent, JobEventHead } from "./kept.ts";

/** A message with its key, which orders messages of the same moment. */
export interface Keyed<Body> {
  key: string;
  body: Body;
}

/** In the order of their times, whatever the order of their arrival. Only `readEvent` writes the texts. */
export function* parseKept<Body extends { at: string }>(kept: readonly Kept[]): Generator<void, Keyed<Body>[]> {
  const messages: Keyed<Body>[] = [];
  for (const { key, body } of kept) messages.push({ key, body: (yield* parsingJson(body)) as Body });
  return messages.toSorted((a, b) => compareCodePoints(a.body.at, b.body.at) || compareCodePoints(a.key, b.key));
}

/** A message of a job. The rest is read only if the head shows that it is needed. */
export interface JobMessage {
  key: string;
  /** Characters of its text. */
  size: number;
  head: JobEventHead;
  readContent: () => Generator<void, JobEventContent>;
}

export function* jobEventBody(head: JobEventHead, content: JobEventContent): Generator<void, string> {
  return `${JSON.stringify(head)}\n${yield* writingJson(content)}`;
}

/** In the order of their times, whatever the order of their arrival. Only `jobEventBody` writes the texts. */
export function readHeads(kept: readonly Kept[]): JobMessage[] {
  return kept
    .map(({ key, body }): JobMessage => {
      const end = body.indexOf("\n");
      return {
        key,
        size: body.length,
        head: JSON.parse(body.slice(0, end)) as JobEventHead,
        *readContent() {
          return (yield* parsingJson(body.slice(end + 1))) as JobEventContent;
        },
      };
    })
    .toSorted(compareMessages);
}

export function compareMessages(a: JobMessage, b: JobMessage): number {
  return compareCodePoints(a.head.at, b.head.at) || compareCodePoints(a.key, b.key);
}

/** The latest of some times; "" if there is none. */
export function latestOf(times: readonly (string | null | undefined)[]): string {
  const known = times.filter((time) => time != null);
  return known.toSorted(compareCodePoints).at(-1) ?? "";
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** When a statement of this time expires; null if it never does. */
export function expiryOf(at: string, days: number | undefined): string | null {
  return days === undefined ? null : new Date(Date.parse(at) + days * DAY_MS).toISOString();
}

/** The subject of everything that is said about a dataset. It is the same for all names of the dataset. */
export function subjectOf(ref: NodeRef): string {
  return `dataset:${identityOf(ref)}`;
}

export function warning(code: string, object: string, message: string): Fault {
  return warningEvent({ code, message, object, stage: "read" });
}

export function ignoredFacets(object: string, ignored: readonly string[]): Fault[] {
  return [...new Set(ignored)].map((fault) =>
    warning(
      "facet_ignored",
      object,
      `A facet of ${object} was left out, because it does not fit its schema: ${fault}.`,
    ),
  );
}

/** States nothing any more. */
export function nothing(subject: string, needed: ReadonlySet<string> = new Set()): SubjectStatements {
  return { events: inScope(subject, []), needed, notes: [], expiresAt: null };
}

export function* inScope(scope: string, events: Iterable<CrawlEvent>): Generator<CrawlEvent> {
  yield { kind: "begin", scope };
  yield* events;
  yield { kind: "end", scope, complete: true };
}

export function* inTurn(lists: readonly Iterable<CrawlEvent>[]): Generator<CrawlEvent> {
  for (const list of lists) yield* list;
}
