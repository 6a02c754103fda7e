/** The errors and warnings of an Airflow crawl. */
import type { z } from "zod";

import { errorEvent, explainIssues, type Fault } from "../faults.ts";
import { ApiFailure } from "../http/api-faults.ts";

/** An entry of a list does not have Airflow's form. */
export function malformed(object: string, error: z.ZodError): Fault {
  const message = `${object} cannot be read: ${explainIssues(error, 1)}`;
  return errorEvent({ code: "malformed_entry", object, message });
}

/**
 * Reads something that the crawl can do without.
 * @throws ApiFailure if everything else would fail too
 */
export async function orFault<T>(reading: Promise<T>): Promise<T | Fault> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.isFatal) throw error;
    return { kind: "error", error: error.error };
  }
}

export function isFault(read: unknown): read is Fault {
  return typeof read === "object" && read !== null && "kind" in read && read.kind === "error";
}
