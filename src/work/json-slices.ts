/**
 * Writes a large value as JSON in slices. So the event loop is not blocked for long, and the whole text is never in
 * memory. Small values inside it are written together by one call of `JSON.stringify`.
 */
import { isWritten, MAX_DEPTH, MAX_GROWTH, measureJson, measureText, toPlain } from "./measure-json.ts";

/** The size of a slice, as `measureJson` counts it. Writing it takes a few milliseconds. */
export const SLICE_CHARACTERS = 256 * 1024;

/** A piece of the text. The text is made when it is needed. */
export interface JsonSlice {
  /** As `measureJson` counts it. */
  size: number;
  text(): string;
}

/**
 * Yields the text of a value in slices. A slice has at most `sliceCharacters`, unless it contains a longer string.
 * @param value plain data. It is measured here, so it must not change before it is written.
 */
export function* sliceJson(value: unknown, sliceCharacters = SLICE_CHARACTERS): Generator<JsonSlice, void, undefined> {
  let pieces: JsonSlice[] = [];
  let size = 0;
  for (const piece of piecesOf(value, sliceCharacters, 0)) {
    if (pieces.length > 0 && size + piece.size > sliceCharacters) {
      yield join(pieces, size);
      pieces = [];
      size = 0;
    }
    pieces.push(piece);
    size += piece.size;
  }
  yield join(pieces, size);
}

/**
 * Measures a value slice by slice.
 * @param most the limit in bytes of UTF-8. If escapes could exceed it, the text is made to count them.
 * @param nextTurn awaited before each slice except the first
 * @returns the slices and their total size as `measureJson` counts it; null if the limit is exceeded
 */
export async function planJson(
  value: unknown,
  most: number,
  nextTurn: () => Promise<void>,
): Promise<{ slices: JsonSlice[]; size: number } | null> {
  const slices: JsonSlice[] = [];
  let size = 0;
  for (const slice of sliceJson(value)) {
    size += slice.size;
    if (size > most) return null;
    slices.push(slice);
    if (size > SLICE_CHARACTERS) await nextTurn();
  }
  if (size * MAX_GROWTH > most) {
    let bytes = 0;
    for await (const text of writeSlices(slices, nextTurn)) {
      bytes += Buffer.byteLength(text);
      if (bytes > most) return null;
    }
  }
  return { slices, size };
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

function join(pieces: readonly JsonSlice[], size: number): JsonSlice {
  return { size, text: () => pieces.map((piece) => piece.text()).join("") };
}

/** @param size the size of the value, if known. If it is larger than `most`, it need not be exact. */
function* piecesOf(
  value: unknown,
  most: number,
  depth: number,
  size = measureJson(value, most, depth),
): Generator<JsonSlice, void, undefined> {
  if (size <= most || typeof value !== "object" || value === null || depth > MAX_DEPTH) {
    yield { size, text: () => (isWritten(value) ? JSON.stringify(value) : "null") };
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
  let size = 0;
  for (const [at, item] of list.entries()) {
    const itemSize = 1 + measureJson(item, most, depth + 1);
    if (size + itemSize > most) {
      if (at > from) yield runOf(list.slice.bind(list, from, at), from === 0, size);
      from = at;
      size = 0;
    }
    if (itemSize > most) {
      if (at > 0) yield literal(",");
      yield* piecesOf(item, most, depth + 1, itemSize - 1);
      from = at + 1;
    } else size += itemSize;
  }
  if (list.length > from) yield runOf(list.slice.bind(list, from), from === 0, size);
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
  let size = 0;
  let first = true;
  for (const key of Object.keys(object)) {
    const member = object[key];
    if (!isWritten(member)) continue;
    const ownSize = measureJson(member, most, depth + 1);
    const memberSize = measureText(key) + 2 + ownSize;
    if (size + memberSize > most && run.length > 0) {
      yield runOf(pick(run), first, size);
      first = false;
      run = [];
      size = 0;
    }
    if (memberSize > most) {
      yield literal(`${first ? "" : ","}${JSON.stringify(key)}:`);
      yield* piecesOf(member, most, depth + 1, ownSize);
      first = false;
    } else {
      run.push(key);
      size += memberSize;
    }
  }
  if (run.length > 0) yield runOf(pick(run), first, size);
  yield literal("}");
}

/** @param text already in JSON */
function literal(text: string): JsonSlice {
  return { size: text.length, text: () => text };
}

/**
 * Several small items of a list, or members of an object, as one piece.
 * @param first whether they are the first ones, without a comma before them
 * @param size their size, with a comma for each
 */
function runOf(some: () => object, first: boolean, size: number): JsonSlice {
  return {
    size: first ? size - 1 : size,
    text: () => (first ? "" : ",") + JSON.stringify(some()).slice(1, -1),
  };
}
