/** Chooses the collections that are read. */
import { fold } from "../../catalog/text.ts";
import type { MetabaseOptions } from "./options.ts";
import type { CollectionEntry } from "./shapes.ts";

export interface Collection {
  id: number | "root";
  /** Its name and those of the collections around it, outermost first. [] for the root. */
  path: string[];
}

type Choice = Pick<MetabaseOptions, "collections" | "exclude" | "personal">;

/**
 * A collection is chosen by its own name, path or id, or by that of a collection around it.
 * @returns the collections, and the names in the options that none has
 */
export function chooseCollections(entries: readonly CollectionEntry[], choice: Choice) {
  const byId = new Map(entries.map((entry) => [String(entry.id), entry]));
  const matched = new Set<string>();
  const isNamed = (line: readonly CollectionEntry[], given: readonly string[]): boolean => {
    const names = new Set(
      line.flatMap(({ id, name }, i) => [String(id), fold(name), fold(pathOf(line.slice(0, i + 1)).join("/"))]),
    );
    const found = given.filter((each) => names.has(fold(each)));
    for (const each of found) matched.add(each);
    return found.length > 0;
  };
  const chosen = entries.flatMap((entry): Collection[] => {
    const line = [...entry.location.split("/").flatMap((id) => byId.get(id) ?? []), entry];
    if (entry.archived || line.some(({ type }) => type === "trash")) return [];
    const isPersonal = line.some((each) => each.is_personal || each.personal_owner_id !== null);
    const isOut = isNamed(line, choice.exclude);
    const isIn = choice.collections.length === 0 || isNamed(line, choice.collections);
    if (isOut || !isIn || (!choice.personal && isPersonal)) return [];
    const { id } = entry;
    if (typeof id === "number") return [{ id, path: pathOf(line) }];
    return id === "root" ? [{ id, path: [] }] : [];
  });
  const asked = [...choice.collections, ...choice.exclude];
  return { collections: chosen, unmatched: asked.filter((each) => !matched.has(each)) };
}

function pathOf(line: readonly CollectionEntry[]): string[] {
  return line.filter(({ id }) => id !== "root").map(({ name }) => name);
}
