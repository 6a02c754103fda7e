/**
 * Writes a large value as JSON in slices. So the event loop is not blocked for long, and the whole text is never in
 * memory. Small values inside it are written together by one call of `JSON.stringify`.
 */
import { isWritten, MAX_DEPTH, measureJson, measureText, toPlain } from "./measure-json.ts";

/** The size of a slice. Writing it takes a few milliseconds. */
export const SLICE_BYTES = 256 * 1024;

/** A piece of the text. The text is made when it is needed. */
export interface JsonSlice {
  bytes: number;
  text(): string;
}

/**
 * Yields the text of a value in slices. A slice has at most `sliceBytes`, unless it contains a longer string.
 * @param value plain data. It is measured here, so it must not change before it is written.
 */
export function* sliceJson(value: unknown, sliceBytes = SLICE_BYTES): Generator<JsonSlice, void, undefined> {
  let pieces: JsonSlice[] = [];
  let bytes = 0;
  for (const piece of piecesOf(value, sliceBytes, 0)) {
    if (pieces.length > 0 && bytes + piece.bytes > sliceBytes) {
      yield join(pieces, bytes);
      pieces = [];
      bytes = 0;
    }
    pieces.push(piece);
    bytes += piece.bytes;
  }
  yield join(pieces, bytes);
}

/**
 * Measures a value slice by slice.
 * @param most the limit in bytes
 * @param nextTurn awaited before each slice except the first
 * @returns the slices and their total size; null if the limit is exceeded
 */
export async function planJson(
  value: unknown,
  most: number,
  nextTurn: () => Promise<void>,
): Promise<{ slices: JsonSlice[]; bytes: number } | null> {
  const slices: JsonSlice[] = [];
  let bytes = 0;
  for (const slice of sliceJson(value)) {
    bytes += slice.bytes;
    if (bytes > most) return null;
    slices.push(slice);
    if (bytes > SLICE_BYTES) await nextTurn();
  }
  return { slices, bytes };
}

/** @param nextTurn awaited before each slice */
export async function* writeSlices(
  slices: Iterable<JsonSlice>,
  nextTurn: () => Promise<void>,
): AsyncGenerator<string, void, undefined> {
  for (const slice of slices) {
    await nextTurn();
    yield slice.text();
  }
}

/** Writes a value as one text. It yields between its slices. */
export function* writingJson(value: unknown): Generator<void, string> {
  const texts: string[] = [];
  for (const slice of sliceJson(value)) {
    texts.push(slice.text());
    yield;
  }
  return texts.join("");
}

function join(pieces: readonly JsonSlice[], bytes: number): JsonSlice {
  return { bytes, text: () => pieces.map((piece) => piece.text()).join("") };
}

/** @param bytes the size of the value, if known. If it is larger than `most`, it need not be exact. */
function* piecesOf(
  value: unknown,
  most: number,
  depth: number,
  bytes = measureJson(value, most, depth),
): Generator<JsonSlice, void, undefined> {
  if (bytes <= most || typeof value !== "object" || value === null || depth > MAX_DEPTH) {
    yield { bytes, text: () => (isWritten(value) ? JSON.stringify(value) : "null") };
    return;
  }
  const plain = toPlain(value);
  if (plain !== value) yield* piecesOf(plain, most, depth + 1);
  else if (Array.isArray(value)) yield* piecesOfList(value, most, depth);
  else yield* piecesOfObject(value as Record<string, unknown>, most, depth);
}

function* piecesOfList(list: readonly unknown[], most: number, depth: number): Generator<JsonSlice, void, undefined> {
  yield literal("[");
  let from = 0;
  let bytes = 0;
  for (const [at, item] of list.entries()) {
    const itemBytes = 1 + measureJson(item, most, depth + 1);
    if (bytes + itemBytes > most) {
      if (at > from) yield runOf(list.slice.bind(list, from, at), from === 0, bytes);
      from = at;
      bytes = 0;
    }
    if (itemBytes > most) {
      if (at > 0) yield literal(",");
      yield* piecesOf(item, most, depth + 1, itemBytes - 1);
      from = at + 1;
    } else bytes += itemBytes;
  }
  if (list.length > from) yield runOf(list.slice.bind(list, from), from === 0, bytes);
  yield literal("]");
}

function* piecesOfObject(
  object: Readonly<Record<string, unknown>>,
  most: number,
  depth: number,
): Generator<JsonSlice, void, undefined> {
  const pick = (keys: readonly string[]) => () => Object.fromEntries(keys.map((key) => [key, object[key]]));
  yield literal("{");
  let run: string[] = [];
  let bytes = 0;
  let first = true;
  for (const key of Object.keys(object)) {
    const member = object[key];
    if (!isWritten(member)) continue;
    const ownBytes = measureJson(member, most, depth + 1);
    const memberBytes = measureText(key) + 2 + ownBytes;
    if (bytes + memberBytes > most && run.length > 0) {
      yield runOf(pick(run), first, bytes);
      first = false;
      run = [];
      bytes = 0;
    }
    if (memberBytes > most) {
      yield literal(`${first ? "" : ","}${JSON.stringify(key)}:`);
      yield* piecesOf(member, most, depth + 1, ownBytes);
      first = false;
    } else {
      run.push(key);
      bytes += memberBytes;
    }
  }
  if (run.length > 0) yield runOf(pick(run), first, bytes);
  yield literal("}");
}

/** @param text already in JSON */
function literal(text: string): JsonSlice {
  return { bytes: Buffer.byteLength(text), text: () => text };
}

/**
 * Several small items of a list, or members of an object, as one piece.
 * @param first whether they are the first ones, without a comma before them
 * @param bytes their size, with a comma for each
 */
function runOf(some: () => object, first: boolean, bytes: number): JsonSlice {
  return {
    bytes: first ? bytes - 1 : bytes,
    text: () => (first ? "" : ",") + JSON.stringify(some()).slice(1, -1),
  };
}
