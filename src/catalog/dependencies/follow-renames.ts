/**
 * Finds what replaced a table or model that is no longer upstream of a metric, such as the same model under another
 * name. Relations are paired by their position in the SQL of their reader. What they compute is compared afterwards.
 */
import { fold } from "../text.ts";
import type { AssetPart, ColumnPart, Dependencies, Named } from "./dependencies.ts";

/**
 * The earlier dependencies, with the ids of what replaced the tables and models that are gone. Only relations with
 * SQL are followed, because nothing else shows whether they compute the same.
 */
export function followRenames(before: Dependencies, now: Dependencies): Dependencies {
  if (before.reader !== now.reader) return before;
  const follows = findFollowers(before, now);
  if (follows.size === 0) return before;
  const present = new Map(Object.entries(now.columns).map(([id, column]) => [keyOf(column), id]));
  const columns = Object.entries(before.columns).flatMap(([id, column]): [string, ColumnPart][] => {
    const parentId = follows.get(column.parentId);
    if (parentId === undefined) return [[id, column]];
    // A column that is no longer used has no counterpart. The node that used it has changed.
    const same = present.get(keyOf({ ...column, parentId }));
    if (same === undefined) return [];
    follows.set(id, same);
    // Types are stated by name, in a file that may be older than the rename. The SQL and its sources decide them.
    return [[same, { ...column, parentId, type: "" }]];
  });
  const follow = <T extends { id: string }>(all: readonly T[]): T[] =>
    all.map((each) => ({ ...each, id: follows.get(each.id) ?? each.id }));
  const reading = <T extends { reads: Named[] }>(part: T): T => ({ ...part, reads: follow(part.reads) });
  const assets = Object.entries(before.assets).map(([id, part]) => [follows.get(id) ?? id, reading(part)] as const);
  const metrics = Object.entries(before.metrics).map(([id, part]) => {
    return [id, { ...part, definition: reading(part.definition) }] as const;
  });
  return {
    ...before,
    definition: reading(before.definition),
    metrics: Object.fromEntries(metrics),
    assets: Object.fromEntries(assets),
    columns: Object.fromEntries(columns.map(([id, column]) => [id, { ...column, from: follow(column.from) }])),
  };
}

function keyOf({ parentId, name }: Pick<ColumnPart, "parentId" | "name">): string {
  return `${parentId} ${fold(name)}`;
}

/** The new ids of assets by their earlier ones, for those that differ. */
function findFollowers(before: Dependencies, now: Dependencies): Map<string, string> {
  const follows = new Map<string, string>();
  const taken = new Set<string>();
  const seen = new Map<string, string>();

  function compare(olds: readonly Named[], news: readonly Named[], isSameOrder: boolean): void {
    for (const [old, fresh] of pair(olds, news, isSameOrder)) {
      if (old !== fresh && canFollow(old, fresh)) {
        follows.set(old, fresh);
        taken.add(fresh);
      }
      if (!seen.has(old)) seen.set(old, follows.get(old) ?? old);
    }
  }

  function canFollow(old: string, fresh: string): boolean {
    const isFree = !follows.has(old) && !taken.has(fresh);
    const isMoved = now.assets[old] === undefined && before.assets[fresh] === undefined;
    return isFree && isMoved && hasBasis(before.assets[old]) && hasBasis(now.assets[fresh]);
  }

  compare(before.definition.reads, now.definition.reads, false);
  for (const [id, { definition }] of Object.entries(before.metrics)) {
    compare(definition.reads, now.metrics[id]?.definition.reads ?? [], false);
  }
  for (const [old, fresh] of seen) {
    const [part, after] = [before.assets[old], now.assets[fresh]];
    if (part !== undefined && after !== undefined) compare(part.reads, after.reads, part.basis === after.basis);
  }
  return follows;
}

function hasBasis(part: AssetPart | undefined): boolean {
  return part !== undefined && part.basis !== null;
}

/** Pairs the ids by their positions if the lists have the same order; if not, equal ids, and one that differs on each side. */
function pair(olds: readonly Named[], news: readonly Named[], isSameOrder: boolean): [string, string][] {
  const [before, now] = [olds.map(({ id }) => id), news.map(({ id }) => id)];
  if (isSameOrder && before.length === now.length) return before.map((id, i) => [id, now[i] ?? id]);
  const lost = before.filter((id) => !now.includes(id));
  const gained = now.filter((id) => !before.includes(id));
  const [fresh] = gained;
  const isOne = lost.length === 1 && gained.length === 1 && fresh !== undefined;
  return before.flatMap((id): [string, string][] => (now.includes(id) ? [[id, id]] : isOne ? [[id, fresh]] : []));
}
