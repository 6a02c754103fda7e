/** What `JSON.parse` says nothing of: a key that stands twice in one object. It takes the last one. */

/** A string, with the colon behind it where it is a key; or where an object begins or ends. */
const KEYS_AND_BRACES = /("(?:[^"\\]+|\\.)*")\s*(:?)|[{}]/g;

/**
 * The first key that stands twice in one object; undefined where none does.
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
