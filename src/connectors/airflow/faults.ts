/** The errors and warnings of an Airflow crawl. */
import type { z } from "zod";

import type { CrawlError } from "../../catalog/crawl.ts";
import type { CrawlEvent } from "../connector.ts";
import { ApiFailure } from "../http/api-faults.ts";

export type Fault = CrawlEvent & { kind: "error" };

type Told = Pick<CrawlError, "code" | "object" | "message"> & Partial<CrawlError>;

/** Something was left out. */
export function errorEvent(told: Told): Fault {
  return { kind: "error", error: { stage: "parse", severity: "error", retryable: false, ...told } };
}

/** Nothing was left out, but somebody should look at it. */
export function warningEvent(told: Told): Fault {
  return errorEvent({ ...told, severity: "warning" });
}

/** An entry of a list does not have Airflow's form. */
export function malformed(object: string, error: z.ZodError): Fault {
  const [issue] = error.issues;
  const where = issue?.path.join(".") || "it";
  return errorEvent({
    code: "malformed_entry",
    object,
    message: `${object} cannot be read: ${where}: ${issue?.message}`,
  });
}

/** Reads something that the crawl can do without. @throws what everything else would fail with too */
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
