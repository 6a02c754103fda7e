/** What heads share: a head makes plans of cues, and says which of them it used. */
import type { Plan, Things } from "../../plan.ts";
import { as, type Cue, is, type WordOf } from "../cue.ts";
import { readSet } from "../read-set.ts";
import type { SetRead } from "../set-state.ts";
import { withConditions } from "../set-state.ts";

export type Head = (cues: readonly Cue[], used: Set<Cue>) => Plan[];

export const nameOf = (cue: Cue): WordOf<"name"> => as(cue, "name") as WordOf<"name">;
export const isName = (cue: Cue): boolean => is(cue, "name");

export function take(used: Set<Cue>, cues: readonly Cue[], ...kinds: Parameters<typeof is>[1][]): void {
  for (const cue of cues) if (is(cue, ...kinds)) used.add(cue);
}

/** What no head has used yet. */
export function left(cues: readonly Cue[], used: ReadonlySet<Cue>): Cue[] {
  return cues.filter((cue) => !used.has(cue));
}

/** Takes all that may be a word of the kinds. */
export function takeAll(used: Set<Cue>, cues: readonly Cue[], kinds: ReadonlySet<string>): void {
  for (const cue of cues) if (cue.words.some((word) => kinds.has(word.is))) used.add(cue);
}

/** The names of a sentence as one set; null if they are of several kinds. */
export function namesOf(names: readonly Cue[]): Things | null {
  const [first, ...others] = names.map((cue) => nameOf(cue).set);
  if (first === undefined) return null;
  if (others.length === 0) return first;
  const ids = [first, ...others].flatMap((set) => (set.where === undefined ? (set.ids ?? []) : []));
  return ids.length === names.length ? { ids } : null;
}

/** The set that all cues together ask for; null if a name is left that is no part of it. */
export function readWhole(cues: readonly Cue[], used: Set<Cue>): { read: SetRead; find: Things } | null {
  const read = readSet(cues, used);
  if (read.names.length > 0) return null;
  const find = withConditions(read.set, read.where);
  return find.types === undefined && find.where === undefined ? null : { read, find };
}

/** The predicate, with its subject as a type before it: "have columns" is said of tables. */
export function withSubject(predicate: readonly Cue[], find: Things): Cue[] {
  const types = find.types ?? [];
  return [{ text: "", sureness: 1, words: [{ is: "type", set: types.length === 0 ? {} : { types } }] }, ...predicate];
}
