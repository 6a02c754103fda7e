/** The macros of a project. What they yield is written into the SQL of the models that call them. */
import { hash } from "node:crypto";

import type { Macro } from "./shapes.ts";

export type Macros = ReturnType<typeof createMacros>;

/** What calls more macros, depends on all of the project. */
const MOST_CALLED = 1_000;

export function createMacros() {
  const macros = new Map<string, { text: string; calls: readonly string[] }>();
  let ofAll: string | null = null;

  const hashTexts = (ids: Iterable<string>): string =>
    hash("sha256", JSON.stringify([...ids].toSorted().map((id) => [id, macros.get(id)?.text])));

  return {
    /** Nothing that is given is kept. */
    add(id: string, { macro_sql: text, depends_on: { macros: calls } }: Macro): void {
      macros.set(structuredClone(id), { text: hash("sha256", text), calls: structuredClone([...new Set(calls)]) });
    },
    /** A hash of these macros, and of all that they call, directly or through others. Call it when all have been added. */
    hashOf(ids: readonly string[]): string {
      const called = new Set(ids);
      for (const id of called) {
        if (called.size > MOST_CALLED) return (ofAll ??= hashTexts(macros.keys()));
        for (const other of macros.get(id)?.calls ?? []) called.add(other);
      }
      return hashTexts(called);
    },
  };
}
