import { compareCodePoints } from "../text.ts";
import type { Dependencies } from "./dependencies.ts";
import { isSameReader } from "./differences.ts";

/** The present dependencies. Where something was known before and is not known now, the earlier value is kept. */
export function keepKnowledge(before: Dependencies, now: Dependencies): Dependencies {
  const assets = Object.entries(now.assets).map(([id, part]) => {
    const old = before.assets[id];
    if (old === undefined) return [id, part] as const;
    const sql = part.sql ?? old.sql;
    const isKept = isSameReader(before, now) && sql === old.sql && part.basis === null;
    return [id, isKept ? { ...old, name: part.name, type: part.type } : { ...part, sql }] as const;
  });
  const columns = Object.entries(now.columns).map(([id, part]) => {
    const old = before.columns[id];
    if (old === undefined) return [id, part] as const;
    const isWorse = old.known && !part.known && before.reader === now.reader;
    return [
      id,
      { ...part, type: part.type || old.type, ...(isWorse && { known: true, basis: old.basis, from: old.from }) },
    ] as const;
  });
  return {
    ...now,
    metrics: join(before.metrics, Object.entries(now.metrics)),
    assets: join(before.assets, assets),
    columns: join(before.columns, columns),
  };
}

/** Sorted by id, so that equal dependencies are stored as equal text. */
function join<T>(before: Record<string, T>, now: readonly (readonly [string, T])[]): Record<string, T> {
  const all = new Map([...Object.entries(before), ...now]);
  return Object.fromEntries([...all].toSorted(([a], [b]) => compareCodePoints(a, b)));
}
