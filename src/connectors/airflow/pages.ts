/** Reads a list of Airflow to its end, page by page. */
import { z } from "zod";

import { capitalize } from "../../characters.ts";
import { errorEvent, type Fault, warningEvent } from "../faults.ts";
import { passingFailure } from "../http/api-faults.ts";
import type { AirflowApi } from "./api.ts";

/** How many entries are asked for. Airflow's setting `maximum_page_limit` may make a page shorter. */
const PAGE = 100;

/** More entries of one list are not read. */
const MOST_ENTRIES = 100_000;

interface List {
  /** `dags` */
  path: string;
  /** The key of the entries in the answer. */
  key: string;
  /** For messages: `the list of DAGs`. */
  what: string;
  /** The key of an entry's id, by which the list is ordered. */
  id: string;
  params?: Record<string, string>;
}

export interface ReadList<T> {
  /** Each once. */
  items: T[];
  /** Whether nothing is missing. */
  isWhole: boolean;
  faults: Fault[];
}

/**
 * If a page cannot be read, the pages before it are returned.
 * @throws ApiFailure if the first page cannot be read, or everything else would fail too
 */
export async function listAll(api: AirflowApi, list: List): Promise<ReadList<unknown>> {
  const { what } = list;
  const shape = pageShape(list.key);
  const entries = new Map<unknown, unknown>();
  let offset = 0;
  let total: number | undefined;
  let changed = false;
  const end = (isWhole: boolean, faults: Fault[] = []): ReadList<unknown> => {
    return { items: [...entries.values()], isWhole, faults };
  };
  for (;;) {
    const params = { ...list.params, order_by: list.id, limit: String(PAGE), offset: String(offset) };
    let page: z.infer<typeof shape>;
    try {
      page = await api.get(list.path, { what, shape, params });
    } catch (error) {
      if (offset === 0) throw error;
      return end(false, [errorEvent(passingFailure(error).error)]);
    }
    const { items } = page;
    // If an entry is deleted while the list is read, the entries after it move up, and one of them is missed.
    changed ||= total !== undefined && page.total !== total;
    total = page.total;
    const known = entries.size;
    for (const item of items) entries.set(idOf(item, list), item);
    offset += items.length;
    if (items.length === 0 || (total !== undefined && offset >= total)) break;
    if (entries.size === known) return end(false, [endless(list, "repeats its entries without end")]);
    if (entries.size >= MOST_ENTRIES) return end(false, [endless(list, `has more than ${MOST_ENTRIES} entries`)]);
  }
  changed ||= total !== undefined && entries.size < total;
  if (!changed) return end(true);
  const message = `${capitalize(what)} changed while it was read, so nothing is removed from the catalog this time.`;
  return end(false, [warningEvent({ code: "list_changed", object: what, stage: "read", message, retryable: true })]);
}

/** Some lists of Airflow 2 do not say how many entries there are. */
function pageShape(key: string) {
  const page = z.looseObject({ total_entries: z.int().min(0).optional() });
  return page.transform(({ total_entries: total, ...rest }, context) => {
    const items = rest[key];
    if (Array.isArray(items)) return { items: items as unknown[], total };
    context.addIssue({ code: "custom", path: [key], message: "is not a list" });
    return z.NEVER;
  });
}

/** Returns the entry itself if it has no id, so that it is reported later. */
function idOf(entry: unknown, { id }: List): unknown {
  const found = typeof entry === "object" && entry !== null ? Object.entries(entry).find(([key]) => key === id) : null;
  return found?.[1] ?? entry;
}

function endless({ what }: Pick<List, "what">, why: string): Fault {
  const message = `${capitalize(what)} ${why}. What comes after was left out, and nothing is removed from the catalog.`;
  return errorEvent({ code: "endless_list", object: what, stage: "read", message });
}
