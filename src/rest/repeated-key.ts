/** Finds a key that occurs twice in one JSON object. `JSON.parse` would silently take the last one. */

/** A string, with the colon after it if it is a key; or a brace. */
const KEYS_AND_BRACES = /("(?:[^"\\]+|\\.)*")\s*(:?)|[{}]/g;

/**
 * Returns the first key that occurs twice in one object, or undefined if there is none.
 * @param text well-formed JSON
 */
export function findRepeatedKey(text: string): string | undefined {
  const objects: Set<string>[] = [];
  for (const [token, string = "", colon] of text.matchAll(KEYS_AND_BRACES)) {
    if (token === "{") objects.push(new Set());
    else if (token === "}") objects.pop();
    else if (colon === ":") {
      const key = String(JSON.parse(string));
      if (objects.at(-1)?.has(key)) return key;
      objects.at(-1)?.add(key);
    }
  }
  return undefined;
}
