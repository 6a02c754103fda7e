/** What is kept of a proposal, as a row of its entity and aspect. */
import { hash } from "node:crypto";

import { type AspectReader, type AspectRow, keepLatest, MAX_NAME_BYTES } from "../../catalog/aspect.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import { writingJson } from "../../work/json-slices.ts";
import { type AspectName, isKey, KEPT, readingAspect, SERIES } from "./aspects.ts";
import { readPatch } from "./patch.ts";
import { type Proposal, readingProposals } from "./proposal.ts";

/** What a job of DataHub's ingestion leaves for its next run. It states nothing. */
export const CHECKPOINT = "datahubIngestionCheckpoint";

/** Characters of a message that is shown because it could not be read. */
const MAX_SHOWN = 200;

/**
 * Of each value only what is kept remains. Yields while it reads a long value.
 * @param proposals those of the message; null if it could not be read
 */
export function* readingRows(message: unknown, proposals: readonly Proposal[] | null): Generator<void, AspectRow[]> {
  if (proposals?.every(({ urn, aspect }) => isName(urn) && isName(aspect)) === true) {
    const rows: AspectRow[] = [];
    for (const proposal of proposals) rows.push(yield* readingRow(proposal));
    return rows;
  }
  const shown = (yield* writingJson(message)).slice(0, MAX_SHOWN).toWellFormed();
  return [leave({ entity: "", urn: shown, aspect: "message", part: "", at: 0 }, "malformed")];
}

function isName(text: string): boolean {
  return Buffer.byteLength(text) <= MAX_NAME_BYTES && text.isWellFormed() && !text.includes("\0");
}

function* readingRow({ urn, entity, aspect, change, at: saidAt, value }: Proposal): Generator<void, AspectRow> {
  const row = { entity, urn, aspect, part: "", at: toInteger(saidAt), unkept: "" as const };
  if (value === undefined) return leave(row, "malformed");
  const kept = KEPT[entity];
  if (aspect === CHECKPOINT) return { ...row, at: momentOf(value) ?? row.at, body: yield* writingJson(value) };
  // DataHub removes an entity whose key is deleted. A later value of any aspect does not bring it back, but its status does.
  if (kept !== undefined && isKey(aspect) && change === "delete") {
    return { ...row, aspect: "status", body: JSON.stringify({ removed: true }) };
  }
  // Of a key nothing is kept but that there is such an entity.
  if (kept !== undefined && isKey(aspect)) return { ...row, aspect: "status", part: partOfPatch([]), body: "[]" };
  if (!isOneOf(kept ?? [], aspect)) return leave(row, "unknown");
  if (change === "delete") return { ...row, body: null };
  if (change === "patch") {
    const patch = readPatch(value);
    if (patch === null) return leave(row, "malformed");
    return { ...row, part: partOfPatch(patch), body: JSON.stringify(patch) };
  }
  const data = yield* readingAspect(aspect, value);
  if (data === null) return leave(row, "malformed");
  // What happened is told with its own time.
  const at = (SERIES.has(aspect) || EVENTS.has(aspect) ? momentOf(data) : null) ?? row.at;
  return { ...row, part: SERIES.has(aspect) ? String(at) : "", at, body: yield* writingJson(data) };
}

/** Beside the value, if there is one. */
function leave(row: Omit<AspectRow, "body" | "unkept">, unkept: AspectRow["unkept"]): AspectRow {
  return { ...row, part: unkept, body: null, unkept };
}

/** Operations set or remove what their paths name, so a later patch of the same paths replaces an earlier one. */
function partOfPatch(patch: readonly { path: string }[]): string {
  return `patch ${hash("sha256", JSON.stringify(patch.map(({ path }) => path)), "hex").slice(0, 32)}`;
}

const EVENTS: ReadonlySet<AspectName> = new Set(["operation", "assertionRunEvent"]);

function isOneOf(kept: readonly AspectName[], aspect: string): aspect is AspectName {
  return kept.some((name) => name === aspect);
}

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
      const own = this.#rows.get(row.urn) ?? new Map<string, AspectRow>();
      keepLatest(own, row);
      this.#rows.set(row.urn, own);
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
