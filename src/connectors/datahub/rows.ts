/** What is kept of a proposal, as a row of its entity and aspect. */
import { createHash } from "node:crypto";

import { type AspectReader, type AspectRow, keepLatest, MAX_NAME_BYTES } from "../../catalog/aspect.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import { measureJson } from "../../work/measure-json.ts";
import { writingJson } from "../../work/json-slices.ts";
import { type AspectName, isKey, KEPT, readingAspect, SERIES } from "./aspects.ts";
import type { Left } from "./bounded-lists.ts";
import { readingPatch } from "./patch.ts";
import { type Proposal, readingProposals } from "./proposal.ts";

/** What a job of DataHub's ingestion leaves for its next run. It states nothing. */
export const CHECKPOINT = "datahubIngestionCheckpoint";

/** Of a checkpoint, which names all entities of a run, compressed. */
const MAX_CHECKPOINT_BYTES = 4 * 1024 * 1024;

/** Characters of a message that is shown because it could not be read. */
const MAX_SHOWN = 200;

/**
 * Of each value only what is kept remains. Yields while it reads a long value.
 * @param proposals those of the message; null if it could not be read
 */
export function* readingRows(message: unknown, proposals: readonly Proposal[] | null): Generator<void, AspectRow[]> {
  if (proposals?.every(({ urn }) => isName(urn)) === true) {
    const rows: AspectRow[] = [];
    for (const proposal of proposals) rows.push(...[yield* readingRow(proposal)].flat());
    return rows;
  }
  return [
    leave({ entity: "", urn: show(beginOf(message, MAX_SHOWN)), aspect: "message", part: "", at: 0 }, "malformed"),
  ];
}

/** The JSON of a value, at least so many characters of it, without going through the rest, which may be large or deep. */
function beginOf(value: unknown, most: number): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, most));
  if (typeof value !== "object" || value === null) return String(value);
  const isList = Array.isArray(value);
  let text = isList ? "[" : "{";
  for (const [key, each] of isList ? value.slice(0, most).entries() : Object.entries(value)) {
    if (text.length >= most) break;
    const name = isList ? "" : `${beginOf(key, most)}:`;
    text += `${text.length > 1 ? "," : ""}${name}${beginOf(each, most - text.length)}`;
  }
  return text + (isList ? "]" : "}");
}

/** The beginning, as a text that any store keeps. */
function show(text: string): string {
  return text.slice(0, MAX_SHOWN).replaceAll("\0", " ").toWellFormed();
}

function isName(text: string): boolean {
  return Buffer.byteLength(text) <= MAX_NAME_BYTES && text.isWellFormed() && !text.includes("\0");
}

function* readingRow(proposal: Proposal): Generator<void, AspectRow | AspectRow[]> {
  const { urn, entity, aspect, change, value, isCut } = proposal;
  const row = { entity, urn, aspect, part: "", at: toInteger(proposal.at), unkept: "" as const };
  if (!isName(aspect)) return leave({ ...row, aspect: show(aspect) }, "malformed");
  if (value === undefined) return leave(row, "malformed");
  const kept = Object.hasOwn(KEPT, entity) ? KEPT[entity] : undefined;
  if (aspect === CHECKPOINT) {
    if (isCut || measureJson(value, MAX_CHECKPOINT_BYTES) > MAX_CHECKPOINT_BYTES) return leave(row, "malformed");
    return { ...row, at: momentOf(value) ?? row.at, body: yield* writingJson(value) };
  }
  // DataHub removes an entity whose key is deleted. A later value of any aspect does not bring it back, but its status does.
  if (kept !== undefined && isKey(aspect) && change === "delete") {
    return { ...row, aspect: "status", body: JSON.stringify({ removed: true }) };
  }
  // Of a key nothing is kept but that there is such an entity.
  if (kept !== undefined && isKey(aspect))
    return { ...row, aspect: "status", part: yield* namingPatch([]), body: "[]" };
  const name = kept?.find((each) => each === aspect);
  if (name === undefined) return leave(row, "unknown");
  if (change === "delete") return { ...row, body: null };
  const read = yield* change === "patch" ? readingPatch(value) : readingAspect(name, value);
  if (read === null) return leave(row, "malformed");
  // What happened is told with its own time.
  const at = (change === "upsert" && (SERIES.has(name) || EVENTS.has(name)) ? momentOf(read.value) : null) ?? row.at;
  const part = Array.isArray(read.value) ? yield* namingPatch(read.value) : SERIES.has(aspect) ? String(at) : "";
  const own = { ...row, part, at, body: yield* writingJson(read.value) };
  const left = new Set<Left>(isCut ? [...read.left, "cut"] : read.left);
  return [own, ...[...left].map((why) => leave(own, why))];
}

/** Beside the value, if there is one. */
function leave(row: Omit<AspectRow, "body" | "unkept">, unkept: AspectRow["unkept"]): AspectRow {
  return { ...row, part: unkept, body: null, unkept };
}

/** Operations set or remove what their paths name, so a later patch of the same paths replaces an earlier one. */
function* namingPatch(patch: readonly { path: string }[]): Generator<void, string> {
  const digest = createHash("sha256");
  for (const [index, { path }] of patch.entries()) {
    if (index % 100 === 0) yield;
    digest.update(`${index === 0 ? "[" : ","}${JSON.stringify(path)}`);
  }
  digest.update(patch.length === 0 ? "[]" : "]");
  return `patch ${digest.digest("hex").slice(0, 32)}`;
}

const EVENTS: ReadonlySet<AspectName> = new Set(["operation", "assertionRunEvent"]);

function momentOf(value: unknown): number | null {
  const { timestampMillis: at } = Object(value);
  return typeof at === "number" ? toInteger(at) : null;
}

function toInteger(ms: number): number {
  return Number.isSafeInteger(Math.trunc(ms)) ? Math.trunc(ms) : 0;
}

/** Entities that are read at one time. */
const PAGE = 100;

/** The rows of files. */
export class AspectTable implements AspectReader {
  readonly #rows = new Map<string, Map<string, AspectRow>>();

  /** Yields while it reads a long value. */
  *add(message: unknown): Generator<void> {
    for (const row of yield* readingRows(message, yield* readingProposals(message))) {
      const own = this.#rows.getOrInsertComputed(row.urn, () => new Map());
      keepLatest(own, row);
    }
  }

  async *pages(): AsyncGenerator<AspectRow[]> {
    const urns = [...this.#rows.keys()].toSorted(compareCodePoints);
    for (let from = 0; from < urns.length; from += PAGE) yield await this.load(urns.slice(from, from + PAGE));
  }

  async load(urns: readonly string[]): Promise<AspectRow[]> {
    return urns.flatMap((urn) => [...(this.#rows.get(urn)?.values() ?? [])]);
  }

  async remove(rows: readonly AspectRow[]): Promise<void> {
    const removed = new Set(rows);
    for (const urn of new Set(rows.map((row) => row.urn))) {
      const left = [...(this.#rows.get(urn) ?? [])].filter(([, row]) => !removed.has(row));
      this.#rows.set(urn, new Map(left));
    }
  }
}
