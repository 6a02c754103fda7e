/** What the rows about an entity say together. Of what is said about one aspect, the latest counts. */
import { compareCodePoints } from "../../catalog/text.ts";
import type { AspectRow } from "../../catalog/aspect.ts";
import { parsingJson } from "../../work/json-values.ts";
import type { Pause } from "../pacing.ts";
import { type AspectName, type Aspects, ASPECTS, readingAspect, SERIES } from "./aspects.ts";
import type { Left } from "./bounded-lists.ts";
import { applyingPatch, type Operation, readingPatch } from "./patch.ts";

export interface Entity {
  urn: string;
  type: string;
  aspects: Aspects;
  /** What was said of each time, for aspects in `SERIES`. */
  series: Partial<Record<AspectName, readonly unknown[]>>;
  /** What is left out of aspects: patches made them too long, or brought what has another form. */
  left: readonly { aspect: AspectName; why: Left }[];
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
    if (type === undefined) continue;
    yield { urn, type, ...(yield* withPausesIn(readingAspects(said))) };
  }
}

function isAspect(name: string): name is AspectName {
  return Object.hasOwn(ASPECTS, name);
}

/** Yields a pause between the pieces of what is read. */
export function* withPausesIn<T>(pieces: Generator<void, T>): Generator<Pause, T> {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
    yield null;
  }
}

function* readingAspects(
  all: readonly [AspectName, AspectRow[]][],
): Generator<void, Pick<Entity, "aspects" | "series" | "left">> {
  const read: [string, object][] = [];
  const series: Entity["series"] = {};
  const left: { aspect: AspectName; why: Left }[] = [];
  for (const [aspect, rows] of all) {
    const values: object[] = [];
    for (const given of SERIES.has(aspect) ? rows.toSorted((a, b) => a.at - b.at) : [null]) {
      const value = yield* given === null ? readingPatched(rows) : parsingJson(given.body ?? "null");
      const known = value === undefined ? null : yield* readingAspect(aspect, value);
      if (known !== null) values.push(known.value);
      for (const why of known?.left ?? []) left.push({ aspect, why });
    }
    if (SERIES.has(aspect)) series[aspect] = values;
    else for (const value of values) read.push([aspect, value]);
  }
  // Each value was read by the schema of its aspect.
  return { aspects: Object.fromEntries(read) as Aspects, series, left };
}

/** The value with its later patches; undefined if it was deleted. */
function* readingPatched(rows: readonly AspectRow[]): Generator<void, unknown> {
  const base = rows.find(({ part }) => part === "");
  // Patches from before the value are a part of it.
  const patches = rows.filter(({ part, at }) => part !== "" && at >= (base?.at ?? at));
  if (base?.body === null && patches.length === 0) return undefined;
  const operations: Operation[] = [];
  for (const { body } of patches.toSorted((a, b) => a.at - b.at || compareCodePoints(a.body ?? "", b.body ?? ""))) {
    const patch = yield* readingPatch(yield* parsingJson(body ?? "[]"));
    for (const operation of patch?.value ?? []) operations.push(operation);
  }
  return yield* applyingPatch(Object(yield* parsingJson(base?.body ?? "{}")), operations);
}
