/** Whether a value is JSON of a bounded size, told without writing it and without looking further than that. */

export interface JsonBounds {
  characters: number;
  /** How many objects and lists stand within each other. */
  depth: number;
}

/** False also for what is no JSON, such as a function. */
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
