/**
 * Applies the patches of an aspect. Their paths name the entries of lists by keys instead of indexes, such as
 * `/upstreams/urn:…` or `/owners/urn:…/TECHNICAL_OWNER`, and lists that are not there yet are made.
 */
import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

const operationShape = z.object({
  op: z.enum(["add", "replace", "remove"]),
  path: z.string(),
  value: z.unknown().optional(),
});
type Operation = z.infer<typeof operationShape>;

const patchShape = z.union([
  z.array(operationShape),
  z.object({ patch: z.array(operationShape) }).transform((of) => of.patch),
]);

type Values = Record<string, unknown>;

/** @returns null if the value is no patch */
export function readPatch(value: unknown): Operation[] | null {
  return patchShape.safeParse(value).data ?? null;
}

export function applyPatch(base: Readonly<Values>, operations: readonly Operation[]): Values {
  const changed: Values = structuredClone(base);
  for (const { op, path, value } of operations) {
    const [field = "", ...keys] = path
      .split("/")
      .slice(1)
      .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const item = op === "remove" ? undefined : value;
    if (keys.length === 0) put(changed, field, item);
    else if (MAPS.has(field)) {
      const map = isObject(changed[field]) ? changed[field] : {};
      put(map, keys.join("/"), item);
      changed[field] = map;
    } else changed[field] = patchList(changed[field], { field, keys, item });
  }
  return changed;
}

/** Fields that are objects by a key. All others that a longer path leads to are lists. */
const MAPS = new Set(["customProperties"]);

function patchList(list: unknown, { field, keys, item }: { field: string; keys: string[]; item: unknown }): unknown[] {
  const items = Array.isArray(list) ? list : [];
  const flow = field === FLOWS ? toFlow(keys) : null;
  const others = items.filter((each) => (flow === null ? !hasKeys(each, keys) : !isDeepStrictEqual(each, flow)));
  return item === undefined ? others : [...others, flow ?? item];
}

const FLOWS = "fineGrainedLineages";

/** `/fineGrainedLineages/OPERATION/DOWNSTREAM/QUERY/UPSTREAM` is one pair of columns. */
function toFlow([transformOperation = "", downstream = "", , upstream = ""]: readonly string[]): Values {
  return { upstreams: [upstream], downstreams: [downstream], transformOperation };
}

/** Whether the keys name the entry: an owner by its urn and type, most others by a urn alone. */
function hasKeys(entry: unknown, [key, ...others]: readonly string[]): boolean {
  if (!isObject(entry)) return entry === key;
  const { owner, dataset, tag, urn, destinationUrn, fieldPath, url, type } = entry;
  const isNamed = (owner ?? dataset ?? tag ?? urn ?? destinationUrn ?? fieldPath ?? url) === key;
  return isNamed && (others.length === 0 || type === undefined || type === "" || type === others[0]);
}

function put(into: Values, key: string, value: unknown): void {
  if (value === undefined) delete into[key];
  else into[key] = value;
}

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
