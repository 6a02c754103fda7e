/** Reads a JSON body with known fields. */
import type { z } from "zod";

import { badFields } from "../../errors.ts";
import { toFaults } from "../../field-faults.ts";
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
  throw badFields(error.issues.flatMap((issue) => toFaults(issue)));
}
