/** Measures a value as JSON without building the text. */

/** No answer of the service is nested deeper. The size of a deeper value is `Infinity`. */
export const MAX_DEPTH = 500;

/** Characters that JSON writes unchanged, as one byte each. */
const PLAIN_TEXT = /^[ !#-[\]-~]*$/;

/**
 * Counts the bytes of `JSON.stringify(value)` in UTF-8.
 * @param value plain data, as in answers
 * @param most counting stops soon after this size is exceeded
 */
export function measureJson(value: unknown, most = Infinity, depth = 0): number {
  if (typeof value === "string") return measureText(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value).length : NULL_BYTES;
  if (typeof value !== "object" || value === null) return isWritten(value) ? String(value).length : NULL_BYTES;
  if (depth > MAX_DEPTH) return Infinity;
  if (Array.isArray(value)) {
    let bytes = Math.max(2, value.length + 1);
    for (const item of value) {
      bytes += measureJson(item, most, depth + 1);
      if (bytes > most) return bytes;
    }
    return bytes;
  }
  const plain = toPlain(value);
  if (plain !== value) return measureJson(plain, most, depth + 1);
  let bytes = 1;
  // Five times as fast as Object.entries. Answers are plain objects, so there are no inherited keys.
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (!isWritten(member)) continue;
    bytes += measureText(key) + 2 + measureJson(member, most, depth + 1);
    if (bytes > most) return bytes;
  }
  return Math.max(2, bytes);
}

/** About the bytes that a value has as JSON, without looking into its texts. It stops soon after `most`. */
export function estimateJson(value: unknown, most: number, depth = 0): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return NULL_BYTES;
  if (depth > MAX_DEPTH) return Infinity;
  let bytes = 2;
  for (const each of Array.isArray(value) ? value : Object.values(value)) {
    bytes += 1 + estimateJson(each, most - bytes, depth + 1);
    if (bytes > most) break;
  }
  return bytes;
}

/** Whether objects and lists are nested deeper than `MAX_DEPTH`. */
export function isTooDeep(value: unknown): boolean {
  return estimateJson(value, Infinity) === Infinity;
}

const NULL_BYTES = 4;

/** The bytes of a text as JSON, with its quotes. */
export function measureText(text: string): number {
  return PLAIN_TEXT.test(text) ? text.length + 2 : Buffer.byteLength(JSON.stringify(text));
}

/** Whether JSON can write the value. If not, an object leaves it out, and a list writes null. */
export function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}

/** The value that JSON writes for an object with `toJSON`, such as a date. */
export function toPlain(value: object): unknown {
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === "function" ? toJSON.call(value) : value;
}
