/** Turns the parts of a request into the variables of its operation, or reports all their faults. */
import { z } from "zod";

import { badFields } from "../errors.ts";
import { toFaults } from "../http/body/fields.ts";
import { readJsonBody } from "../http/body/json-body.ts";
import { parseQueryString } from "../http/body/query-string.ts";
import type { Route } from "./route.ts";
import type { RestContext } from "../http/state.ts";

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
