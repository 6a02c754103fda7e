/** Goes through long lists in slices of the event loop. */
import type { z } from "zod";

import type { ToolContext } from "./tool.ts";

/** About a millisecond of work. */
const SLICE = 2_000;

/** Checks the form of each row of a long list. */
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
