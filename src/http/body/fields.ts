/** Reads a JSON body with known fields. */
import type { z } from "zod";

import { badFields, type FieldFault } from "../../errors.ts";
import type { RestContext } from "../state.ts";
import { readJsonBody } from "./json-body.ts";

/** @throws AppError `bad_request` with all faults at once, and the errors of `readJsonBody` */
export async function readFields<Fields extends z.ZodObject>(
  ctx: RestContext,
  fields: Fields,
): Promise<z.output<Fields>> {
  const body = await readJsonBody(ctx);
  const { success, data, error } = fields.safeParse(body ?? {});
  if (success) return data;
  throw badFields(error.issues.flatMap(toFaults));
}

/** The faults of one issue, with the names of their fields. */
export function toFaults(issue: z.core.$ZodIssue): FieldFault[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ field: [...issue.path, key].join("."), message: "is not known here" }));
  }
  return [{ field: issue.path.join(".") || "body", message: toPredicate(issue) }];
}

/** The fault as a phrase that follows the field's name. */
function toPredicate(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value") return `must be one of ${issue.values.join(", ")}`;
  if (issue.code === "too_big" && issue.origin === "string") return `may have at most ${issue.maximum} characters`;
  if (issue.code === "too_small" && issue.origin === "string") return "must not be empty";
  if (issue.code === "invalid_type" && issue.path.length === 0) return "must be a JSON object";
  return issue.message;
}
