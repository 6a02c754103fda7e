/** Reads a request's body as JSON. */
import { AppError, badField } from "../errors.ts";
import { hasBody, isPlain, readBodyText } from "./body.ts";
import { parseBoundedJson } from "../work/json-values.ts";
import { findRepeatedKey } from "./repeated-key.ts";
import type { RestContext } from "./state.ts";

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
