/** Checks the definition of a metric that a person gives. */
import { z } from "zod";

import { isEmailAddress } from "../catalog/email.ts";
import { METRIC_KINDS } from "../catalog/metric.ts";
import { isStorableName } from "../catalog/text.ts";
import { hasMoreCharacters } from "../characters.ts";
import { badFields } from "../errors.ts";
import { findName } from "../plain-text.ts";

const MAX_NAME = 200;
const MAX_SQL = 10_000;
const MAX_TEXT = 100_000;
const MAX_ITEMS = 200;
const MAX_SOURCES = 1_000;

const line = (max: number) =>
  z.string().transform((text, context) => {
    const name = findName(text, max);
    if (name !== null) return name;
    context.addIssue({
      code: "custom",
      message: `must be 1 to ${max} visible characters of valid Unicode, without control characters`,
    });
    return z.NEVER;
  });

/** Line breaks and tabs are allowed. */
const multiline = (max: number) =>
  z.string().refine((given) => !hasMoreCharacters(given, max) && isStorableName(given.replaceAll(/[\n\r\t]/g, " ")), {
    error: `must have at most ${max} characters of valid Unicode, without control characters but line breaks`,
  });

const sql = multiline(MAX_SQL).refine((text) => text.trim() !== "", { error: "must not be blank" });

const listOf = <T extends z.ZodType>(item: T, max = MAX_ITEMS) =>
  z.array(item).max(max, { error: `must have at most ${max} items` });

const input = z.object({
  name: line(MAX_NAME),
  displayName: line(MAX_NAME),
  kind: z.enum(METRIC_KINDS),
  expression: sql,
  grain: multiline(MAX_NAME),
  dimensions: listOf(line(MAX_NAME)),
  filters: listOf(sql),
  description: multiline(MAX_TEXT),
  owner: z.string().refine((text) => text === "" || isEmailAddress(text), { error: "must be an e-mail address" }),
  tags: listOf(line(MAX_NAME)),
  sources: listOf(z.string().brand<"NodeId">(), MAX_SOURCES).transform((ids) => [...new Set(ids)]),
});
/** The full definition of a metric. `sources` are ids of tables, models, columns and metrics, each once. */
export type MetricInput = z.output<typeof input>;
/** A definition as a client gives it. */
export type GivenMetric = z.input<typeof input>;

/** @throws AppError `bad_request` with all faulty fields */
export function parseMetricInput(said: GivenMetric): MetricInput {
  const parsed = input.safeParse(said);
  if (parsed.success) return parsed.data;
  throw badFields(parsed.error.issues.map(({ path, message }) => ({ field: path.join("."), message })));
}
