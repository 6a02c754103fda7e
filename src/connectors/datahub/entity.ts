/** What the rows about an entity say together. Of what is said about one aspect, the latest counts. */
import { compareCodePoints } from "../../catalog/text.ts";
import type { AspectRow } from "../../catalog/aspect.ts";
import { parsingJson } from "../../work/json-values.ts";
import type { Pause } from "../dbt/pacing.ts";
import { type AspectName, type Aspects, ASPECTS, readingAspect, SERIES } from "./aspects.ts";
import { applyingPatch, readPatch } from "./patch.ts";

export interface Entity {
  urn: string;
  type: string;
  aspects: Aspects;
  /** What was said of each time, for aspects in `SERIES`. */
  series: Readonly<Partial<Record<AspectName, readonly unknown[]>>>;
}

/**
 * Yields pauses while it reads long values.
 * @param rows all of some entities
 * @param isWanted whether a row is read; default: all are
 */
export function* toEntities(
  rows: readonly AspectRow[],
  isWanted: (row: AspectRow) => boolean = () => true,
): Generator<Entity | Pause> {
  const kept = rows.filter(({ unkept }) => unkept === "");
  for (const [urn, own] of Map.groupBy(kept, (row) => row.urn)) {
    const wanted = Map.groupBy(own.filter(isWanted), ({ aspect }) => aspect);
    const said = [...wanted].flatMap(([name, values]): [AspectName, AspectRow[]][] =>
      isAspect(name) ? [[name, values]] : [],
    );
    const type = own.find(({ aspect }) => isAspect(aspect))?.entity;
    if (type !== undefined)
      yield { urn, type, aspects: yield* withPausesIn(readingAspects(said)), series: toSeries(said) };
  }
}

function isAspect(name: string): name is AspectName {
  return Object.hasOwn(ASPECTS, name);
}

function* withPausesIn<T>(pieces: Generator<void, T>): Generator<Pause, T> {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
    yield null;
  }
}

function* readingAspects(all: readonly [AspectName, AspectRow[]][]): Generator<void, Aspects> {
  const read: [AspectName, object][] = [];
  for (const [aspect, rows] of all) {
    if (SERIES.has(aspect)) continue;
    const base = rows.find(({ part }) => part === "");
    // Patches from before the value are a part of it.
    const patches = rows.filter(({ part, at }) => part !== "" && at >= (base?.at ?? at));
    if (base?.body === null && patches.length === 0) continue;
    const ordered = patches.toSorted((a, b) => a.at - b.at || compareCodePoints(a.body ?? "", b.body ?? ""));
    const operations = ordered.flatMap(({ body }) => readPatch(parse(body)) ?? []);
    const value = yield* applyingPatch(Object(yield* parsingJson(base?.body ?? "{}")), operations);
    const data = yield* readingAspect(aspect, value);
    if (data !== null) read.push([aspect, data]);
  }
  // Each value was read by the schema of its aspect.
  return Object.fromEntries(read) as Aspects;
}

function toSeries(all: readonly [AspectName, AspectRow[]][]): Entity["series"] {
  return Object.fromEntries(
    all.flatMap(([aspect, rows]) => {
      const values = rows.filter(({ body }) => body !== null).toSorted((a, b) => a.at - b.at);
      return SERIES.has(aspect) ? [[aspect, values.map(({ body }) => parse(body))]] : [];
    }),
  );
}

function parse(body: string | null): unknown {
  return body === null ? {} : JSON.parse(body);
}
