/** Checks whether a value is JSON within a size limit, without writing it, and without reading beyond the limit. */

export interface JsonBounds {
  characters: number;
  /** How deep objects and lists may be nested. */
  depth: number;
}

/** Returns false also for a value that is not JSON, such as a function. */
export function hasRoom(value: unknown, { characters, depth }: JsonBounds): boolean {
  let left = characters;
  const spend = (count: number): boolean => (left -= count) >= 0;
  const fits = (inner: unknown, level: number): boolean => {
    if (typeof inner === "string") return inner.length <= left && spend(JSON.stringify(inner).length);
    if (inner === null || inner === undefined || typeof inner === "boolean" || typeof inner === "number") {
      return spend(String(inner).length);
    }
    if (typeof inner !== "object" || level === depth || !spend(2)) return false;
    if (Array.isArray(inner)) return inner.every((each) => spend(1) && fits(each, level + 1));
    for (const key in inner) {
      if (!Object.hasOwn(inner, key)) continue;
      if (key.length > left || !spend(JSON.stringify(key).length + 2)) return false;
      if (!fits((inner as Record<string, unknown>)[key], level + 1)) return false;
    }
    return true;
  };
  return fits(value, 0);
}
