/**
 * Applies the patches of an aspect. Their paths name the entries of lists by keys instead of indexes, such as
 * `/upstreams/urn:…` or `/owners/urn:…/TECHNICAL_OWNER`, and lists that are not there yet are made.
 */
import { z } from "zod";

import { isTooDeep } from "../../work/measure-json.ts";
import { isRecord } from "../shapes.ts";
import { MAX_PAIRS } from "./aspects.ts";
import { partsOf, type ReadValue } from "./bounded-lists.ts";

const operationShape = z.object({
  op: z.enum(["add", "replace", "remove"]),
  path: z.string(),
  value: z
    .unknown()
    .refine((value) => !isTooDeep(value))
    .optional(),
});
export type Operation = z.infer<typeof operationShape>;

const operationsShape = z.array(operationShape);

type Values = Record<string, unknown>;

/** @returns null if the value is no patch */
export function* readingPatch(value: unknown): Generator<void, ReadValue<Operation[]> | null> {
  const list: unknown = Array.isArray(value) ? value : Object(value).patch;
  if (!Array.isArray(list)) return null;
  const operations: Operation[] = [];
  for (const part of partsOf(list, MAX_PAIRS)) {
    yield;
    const { data } = operationsShape.safeParse(part);
    if (data === undefined) return null;
    for (const operation of data) operations.push(operation);
  }
  return { value: operations, left: new Set(list.length > MAX_PAIRS ? (["cut"] as const) : []) };
}

/**
 * Yields between the operations.
 * @param base is changed
 */
export function* applyingPatch(base: Values, operations: readonly Operation[]): Generator<void, Values> {
  const lists = new Map<string, PatchedList>();
  for (const { op, path, value } of operations) {
    yield;
    const [field = "", ...keys] = path
      .split("/")
      .slice(1)
      .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const item = op === "remove" ? undefined : value;
    if (keys.length === 0) {
      lists.delete(field);
      put(base, field, item);
    } else if (MAPS.has(field)) {
      const map = isRecord(base[field]) ? base[field] : {};
      put(map, keys.join("/"), item);
      base[field] = map;
    } else lists.getOrInsertComputed(field, () => new PatchedList(base[field])).set(toEntry(field, keys), item);
  }
  for (const [field, list] of lists) base[field] = list.items();
  return base;
}

/** Fields that are objects by a key. All others that a longer path leads to are lists. */
const MAPS = new Set(["customProperties"]);

/** What a path names in a list. A flow is nothing but its keys. */
interface Named {
  name: string;
  type?: string | undefined;
  flow?: Values;
}

function toEntry(field: string, keys: readonly string[]): Named {
  const [name = "", type] = keys;
  if (field !== FLOWS) return { name, type };
  // `/fineGrainedLineages/OPERATION/DOWNSTREAM/QUERY/UPSTREAM` is one pair of columns.
  const [transformOperation, downstream = "", , upstream = ""] = keys;
  const flow = { upstreams: [upstream], downstreams: [downstream], transformOperation };
  return { name: nameOf(flow), flow };
}

/** A list whose entries are found by their names, because a patch may have as many operations as the list has entries. */
class PatchedList {
  readonly #all = new Set<unknown>();
  readonly #named = new Map<string, Set<unknown>>();

  constructor(list: unknown) {
    for (const entry of Array.isArray(list) ? list : []) this.#add(entry);
  }

  /** @param item undefined: the entry is removed */
  set({ name, type, flow }: Named, item: unknown): void {
    for (const entry of this.#named.get(name) ?? []) if (isOfType(entry, type)) this.#remove(name, entry);
    if (item !== undefined) this.#add(flow ?? item);
  }

  items(): unknown[] {
    return [...this.#all];
  }

  #add(entry: unknown): void {
    this.#all.add(entry);
    this.#named.getOrInsertComputed(nameOf(entry), () => new Set()).add(entry);
  }

  #remove(name: string, entry: unknown): void {
    this.#all.delete(entry);
    this.#named.get(name)?.delete(entry);
  }
}

const FLOWS = "fineGrainedLineages";

/** An owner is named by its urn and type, a flow by all that it has, and most others by a urn alone. */
function nameOf(entry: unknown): string {
  if (!isRecord(entry)) return String(entry);
  const { owner, dataset, tag, urn, destinationUrn, fieldPath, url, upstreams, downstreams, transformOperation } =
    entry;
  const name = owner ?? dataset ?? tag ?? urn ?? destinationUrn ?? fieldPath ?? url;
  return name === undefined ? JSON.stringify([upstreams, downstreams, transformOperation]) : String(name);
}

function isOfType(entry: unknown, wanted: string | undefined): boolean {
  const { type } = Object(entry);
  return wanted === undefined || type === undefined || type === "" || type === wanted;
}

function put(into: Values, key: string, value: unknown): void {
  if (value === undefined) delete into[key];
  else into[key] = value;
}
