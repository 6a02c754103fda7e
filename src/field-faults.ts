/** What zod finds wrong with a caller's fields, in words that follow the name of a field. */
import type { z } from "zod";

import type { FieldFault } from "./errors.ts";

/**
 * The faults of one issue, with the names of their fields.
 * @param words how the whole is called, and what is said of a key that it has not
 */
export function toFaults(
  issue: z.core.$ZodIssue,
  { whole = "body", unknownKey = "is not known here" }: { whole?: string; unknownKey?: string } = {},
): FieldFault[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ field: [...issue.path, key].join("."), message: unknownKey }));
  }
  return [{ field: issue.path.join(".") || whole, message: toPredicate(issue) }];
}

/** How the messages begin that zod writes where a schema has none of its own. */
const ZODS = /^(?:Invalid input|Too big|Too small): /;

function toPredicate(issue: z.core.$ZodIssue): string {
  const { code, message } = issue;
  if (code === "invalid_value") return `must be one of ${issue.values.join(", ")}`;
  if (code === "too_big" && issue.origin === "string") return `may have at most ${issue.maximum} characters`;
  if (code === "too_small" && issue.origin === "string") return "must not be empty";
  if (code === "invalid_type" && issue.path.length === 0) return "must be a JSON object";
  if (!ZODS.test(message)) return message;
  if (message.endsWith("received undefined")) return "is missing";
  if (code === "invalid_type") return `must be ${TYPES[issue.expected] ?? issue.expected}`;
  if (code === "too_big" && issue.origin === "array") return `may have at most ${issue.maximum} items`;
  if (code === "too_small" && issue.origin === "array") return "must not be empty";
  if (code === "too_big") return isSafe(issue.maximum) ? `must be at most ${issue.maximum}` : "is too large";
  if (code === "too_small") return isSafe(issue.minimum) ? `must be at least ${issue.minimum}` : "is too small";
  return message;
}

/** Whether a limit is one of a schema, and not that of whole numbers. */
function isSafe(limit: number | bigint): boolean {
  return Math.abs(Number(limit)) < Number.MAX_SAFE_INTEGER;
}

const TYPES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a text",
};
