/** Turns the parts of a request into the variables of its operation, or reports all their faults. */
import { z } from "zod";

import { badFields, type FieldFault } from "../errors.ts";
import { readJsonBody } from "./json-body.ts";
import { parseQueryString } from "./query-string.ts";
import type { Route } from "./route.ts";
import type { RestContext } from "./state.ts";

type Input = Record<string, unknown>;

/**
 * Reads and checks the input of a route.
 * @param path the decoded parameters of the path
 * @throws AppError `bad_request` with all faults at once, and the errors of `readJsonBody`
 */
export type InputReader = (ctx: RestContext, path: Record<string, string>) => Promise<Input>;

export function createInputReader({ input }: Route): InputReader {
  const pathSchema = z.strictObject(input.path ?? {});
  const querySchema = z.strictObject(input.query ?? {});
  const bodySchema = input.body && z.strictObject(input.body);
  return async (ctx, path) => {
    const body = bodySchema && (await readJsonBody(ctx));
    const query = parseQueryString(ctx.querystring);
    const parts = [
      pathSchema.safeParse(path),
      querySchema.safeParse(query.values),
      ...(bodySchema ? [bodySchema.safeParse(body === undefined ? {} : body)] : []),
    ];
    const faults = [...query.faults, ...parts.flatMap((part) => part.error?.issues.flatMap(toFaults) ?? [])];
    if (faults.length > 0) throw badFields(faults);
    return Object.assign({}, ...parts.map((part) => part.data));
  };
}

/** The faults of one issue, with the names of their fields. */
export function toFaults(issue: z.core.$ZodIssue): FieldFault[] {
  if (issue.code === "unrecognized_keys") return issue.keys.map((field) => ({ field, message: "is not known here" }));
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
