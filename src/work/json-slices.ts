/**
 * Writes a large value as JSON in slices, so that neither the event loop is held for the whole of it, nor does the whole
 * text stand in memory. Small values within it are written natively, many at a time.
 */
import { isWritten, MAX_DEPTH, measureJson, measureText, toPlain } from "./measure-json.ts";

/** What is written natively in one go: some milliseconds of work. */
export const SLICE_BYTES = 256 * 1024;

/** A piece of the text, which is made when it is asked for. */
export interface JsonSlice {
  bytes: number;
  text(): string;
}

/**
 * The text of a value, in order. A slice has at most `sliceBytes`, save for one that holds a longer string.
 * @param value plain data that JSON has a text for; it is measured on the way, and must not change before it is written
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
 * @param most the most bytes that it may have
 * @param nextTurn waited for before each slice but the first
 * @returns the slices, and their bytes together; null if there are more bytes than allowed
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

/** @param nextTurn waited for before each slice */
export async function* writeSlices(
  slices: Iterable<JsonSlice>,
  nextTurn: () => Promise<void>,
): AsyncGenerator<string, void, undefined> {
  for (const slice of slices) {
    await nextTurn();
    yield slice.text();
  }
}

function join(pieces: readonly JsonSlice[], bytes: number): JsonSlice {
  return { bytes, text: () => pieces.map((piece) => piece.text()).join("") };
}

/** @param bytes of the value, where they are known; where it is longer than `most`, any number past that will do */
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

/** @param text in JSON already */
function literal(text: string): JsonSlice {
  return { bytes: Buffer.byteLength(text), text: () => text };
}

/**
 * Some items of a list, or members of an object, that are small together.
 * @param first whether none comes before them
 * @param bytes of them, each with a comma
 */
function runOf(some: () => object, first: boolean, bytes: number): JsonSlice {
  return {
    bytes: first ? bytes - 1 : bytes,
    text: () => (first ? "" : ",") + JSON.stringify(some()).slice(1, -1),
  };
}
