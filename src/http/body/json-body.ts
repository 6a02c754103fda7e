/** Reads a request's body as JSON. */
import { AppError, badField } from "../../errors.ts";
import { hasBody, isPlain, readBodyText } from "./body.ts";
import { parseBoundedJson } from "../../work/json-values.ts";
import type { RestContext } from "../state.ts";

/** Far more than any request needs: the longest list has 1,000 items. */
const MAX_VALUES = 20_000;

/**
 * Reads and parses the body. Returns undefined if there is none.
 * @throws AppError `bad_request` if it is not JSON or repeats a key, and the errors of `readJsonText`
 */
export async function readJsonBody(ctx: RestContext): Promise<unknown> {
  const text = await readJsonText(ctx);
  if (text === "") return undefined;
  const body = parseJson(text);
  const repeated = findRepeatedKey(text);
  if (repeated !== undefined) throw badField(repeated, "is given more than once");
  return body;
}

/** @throws AppError `bad_request` if the text is not JSON or has too many values */
export function parseJson(text: string): unknown {
  return parseBoundedJson(text, MAX_VALUES);
}

/**
 * Reads the text of a JSON body. Returns "" if there is none.
 * @throws AppError `unsupported_media_type`, and the errors of `readBodyText`
 */
export async function readJsonText(ctx: RestContext): Promise<string> {
  if (!hasBody(ctx)) return "";
  if (!isPlain(ctx, "application/json")) {
    throw new AppError("unsupported_media_type", "A body must be application/json, in UTF-8 and not compressed.");
  }
  return readBodyText(ctx);
}

/** A string, with the colon after it if it is a key; or a brace. */
const KEYS_AND_BRACES = /("(?:[^"\\]+|\\.)*")\s*(:?)|[{}]/g;

/**
 * Returns the first key that occurs twice in one object, or undefined if there is none. `JSON.parse` would silently take
 * the last one.
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
