/** Reads the bodies of the paths where people log in. */
import { z } from "zod";

import { badFields } from "../../errors.ts";
import { toFaults } from "../input.ts";
import { readJsonBody } from "../json-body.ts";
import type { RestContext } from "../state.ts";

/** @throws AppError `bad_request` with all faults at once, and the errors of `readJsonBody` */
export async function readFields<Shape extends z.ZodRawShape>(
  ctx: RestContext,
  shape: Shape,
): Promise<z.output<z.ZodObject<Shape, z.core.$strict>>> {
  const body = await readJsonBody(ctx);
  const { success, data, error } = z.strictObject(shape).safeParse(body ?? {});
  if (success) return data;
  throw badFields(error.issues.flatMap(toFaults));
}
