/** Inputs that several routes share. */
import { z } from "zod";

import { CERTIFICATIONS } from "../catalog/asset.ts";
import { NODE_ORDERS } from "../catalog/node-order.ts";
import { ASSET_TYPES } from "../catalog/node-types.ts";
import { DEFAULT_DEPTH, MAX_DEPTH } from "../catalog/lineage.ts";
import { MAX_SEARCH_CHARACTERS } from "../catalog/search.ts";
import { hasMoreCharacters } from "../characters.ts";
import { badField } from "../errors.ts";
import { CHANGE_ENTRY_KINDS } from "../catalog/changes/change.ts";
import { AS_OF_DESCRIPTION } from "../graphql/as-of.ts";
import { SINCE_DESCRIPTION, UNTIL_DESCRIPTION } from "../graphql/changes.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_FILTER = 1_000;

/** Only digits: no sign, no leading zero, no exponent. A number out of range is an error; it is not clamped. */
function wholeNumber(range: { min: number; max: number; default: number }) {
  const message = `must be a whole number from ${range.min} to ${range.max}`;
  return z
    .string()
    .regex(/^(0|[1-9]\d{0,8})$/, message)
    .transform(Number)
    .pipe(z.int().min(range.min, message).max(range.max, message))
    .default(range.default);
}

/** A required id. Whether it exists is checked later. */
export function id(description: string, example: string) {
  return z
    .string({ error: ({ input }) => (input === undefined ? "is required" : "must be text") })
    .min(1)
    .meta({ description, examples: [example] });
}

export const assetType = z.enum(ASSET_TYPES).optional().meta({ description: "Only assets of this type." });

/** The value of a filter. It has no example, so that the curl line of the list asks for more than nothing. */
function filter(description: string) {
  return z.string().min(1).max(MAX_FILTER).optional().meta({ description });
}

/** The same definition as GraphQL's scalar `EmailAddress`. */
export const owner = z
  .email({ pattern: z.regexes.html5Email, error: "must be an e-mail address" })
  .max(MAX_FILTER)
  .optional()
  .meta({ description: "Only those of this owner, an e-mail address in any case." });

/** `true` or `false`, for which the operation has its own words. The OpenAPI document shows a boolean. */
function toFlag([ifTrue, ifFalse]: readonly [ifTrue: unknown, ifFalse: unknown] = [true, false]) {
  const words = z.enum(["true", "false"]).transform((text): unknown => (text === "true" ? ifTrue : ifFalse));
  return words.pipe(z.unknown());
}

/** False if it is left out. */
export function flag(description: string, words?: Parameters<typeof toFlag>[0]) {
  return toFlag(words).prefault("false").meta({ type: "boolean", default: false, description });
}

export const unowned = toFlag()
  .optional()
  .meta({ type: "boolean", description: "Only those without an owner. It cannot be given with `owner`." });

/** GraphQL asks by `owner: null` for what has no owner. A query string has no null. */
export const unownedReworded = {
  input: "unowned",
  /** @throws AppError `bad_request` if an owner is given as well */
  toVariables({ unowned: isUnowned, ...input }: Readonly<Record<string, unknown>>): Record<string, unknown> {
    if (isUnowned !== true) return input;
    if (input["owner"] !== undefined) throw badField("unowned", "cannot be given with owner");
    return { ...input, owner: null };
  },
};

export const tag = filter("Only those with this tag.");

export const schema = filter("Only assets whose fully qualified names begin so, such as `shop.marts`, in any case.");

export const connector = filter("Only those that this connector holds, by its name.");

export const certification = z
  .enum(CERTIFICATIONS)
  .optional()
  .meta({ description: "Only those with this certification." });

export const connectorName = filter("Only the connector with this name.");

export const search = z
  .string()
  // zod's `max` counts UTF-16 units, but OpenAPI's `maxLength` counts characters.
  .refine((text) => !hasMoreCharacters(text, MAX_SEARCH_CHARACTERS), {
    error: `may have at most ${MAX_SEARCH_CHARACTERS} characters`,
  })
  .optional()
  .meta({
    maxLength: MAX_SEARCH_CHARACTERS,
    description:
      "Full text over name, description, tags and column names, ranked by relevance. " +
      "All terms must match, the last one as a prefix. If nothing matches, one term is enough. If that finds nothing, the nearest known terms are searched. Blank text means no search. " +
      "It may have filters, such as `tag:pii`, `owner:ada@example.com`, `type:model` and `schema:shop.marts`.",
    examples: ["customers"],
  });

export const sort = z
  .enum(NODE_ORDERS)
  .optional()
  .meta({
    description:
      "The order: by name; `updated`: the last change first; `downstream`: the most direct consumers first; `usage`: the " +
      "most used first, which cannot be given with `as_of`. Columns have no such order and are left out.",
  });

export const limit = wholeNumber({ min: 1, max: MAX_LIMIT, default: DEFAULT_LIMIT }).meta({
  description: "The page size.",
});

export const cursor = z.string().min(1).optional().meta({
  description:
    "`next_cursor` of the page before. It is opaque, is valid for 24 hours, and belongs to one set of filters.",
});

/** An id that may be left out. Whether it exists is checked later. */
export function optionalId(description: string, example?: string) {
  return z
    .string()
    .min(1)
    .optional()
    .meta({ description, ...(example !== undefined && { examples: [example] }) });
}

/** What every accepted time has; the operation checks the rest. */
const MOMENT = String.raw`^\d{4}-\d{2}-\d{2}(T.+)?$`;
const DURATION = String.raw`^[1-9]\d{0,5}[mhdw]$`;

export const as_of = z
  .string()
  .optional()
  .meta({
    pattern: MOMENT,
    description: `${AS_OF_DESCRIPTION} It cannot be given with \`search\`. The present if left out.`,
  });

export const since = z
  .string()
  .optional()
  .meta({ pattern: `${MOMENT}|${DURATION}`, description: SINCE_DESCRIPTION });

export const until = z
  .string()
  .optional()
  .meta({ pattern: `${MOMENT}|${DURATION}`, description: UNTIL_DESCRIPTION });

export const kinds = z
  .string()
  .transform((text): unknown => text.split(","))
  .pipe(z.array(z.enum(CHANGE_ENTRY_KINDS)))
  .optional()
  .meta({
    type: "string",
    pattern: `^(${CHANGE_ENTRY_KINDS.join("|")})(,(${CHANGE_ENTRY_KINDS.join("|")}))*$`,
    description: `Only changes of these kinds, separated by commas: ${CHANGE_ENTRY_KINDS.map((kind) => `\`${kind}\``).join(", ")}.`,
  });

export const depth = wholeNumber({ min: 1, max: MAX_DEPTH, default: DEFAULT_DEPTH }).meta({
  description: "How many hops to walk.",
});
