/** What heads share: a head makes plans of cues, and says which of them it used. */
import { only, type Plan, type Things } from "../plan.ts";
import { type Cue, is, type Kind, nameOf } from "./cue.ts";
import { SetReader } from "./set-reader.ts";
import type { SetRead } from "./set-state.ts";

export type Head = (cues: readonly Cue[], used: Set<Cue>) => Plan[];

export function take(used: Set<Cue>, cues: readonly (Cue | undefined)[], ...kinds: Kind[]): void {
  for (const cue of cues) if (cue !== undefined && (kinds.length === 0 || is(cue, ...kinds))) used.add(cue);
}

/** The names of a sentence as one set; null if they are of several kinds. */
export function namesOf(names: readonly Cue[]): Things | null {
  const [first, ...others] = names.map((cue) => nameOf(cue).set);
  if (first === undefined || others.length === 0) return first ?? null;
  const ids = [first, ...others].flatMap((set) => (set.where === undefined ? (set.ids ?? []) : []));
  return ids.length === names.length ? { ids } : null;
}

/** The set that all cues together ask for; null if a name is left that is no part of it. */
export function readWhole(cues: readonly Cue[], used: Set<Cue>): { read: SetRead; find: Things } | null {
  const read = new SetReader(cues, used).read();
  const find = only(read.set, ...read.where);
  const isOpen = find.types === undefined && find.where === undefined;
  return read.names.length > 0 || isOpen ? null : { read, find };
}

export function left(cues: readonly Cue[], used: ReadonlySet<Cue>): Cue[] {
  return cues.filter((cue) => !used.has(cue));
}
