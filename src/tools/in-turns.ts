/** Parses long lists in slices, so that other requests are not held up. */
import type { z } from "zod";

import type { ToolContext } from "./tool.ts";

/** Rows in a slice: about a millisecond of work. */
const SLICE = 2_000;

/** Parses each row of a long list. */
export async function parseRows<Row>(
  rows: readonly unknown[],
  schema: z.ZodType<Row>,
  { nextTurn }: Pick<ToolContext, "nextTurn">,
): Promise<Row[]> {
  const parsed: Row[] = [];
  for (const row of rows) {
    parsed.push(schema.parse(row));
    if (parsed.length % SLICE === 0) await nextTurn();
  }
  return parsed;
}
