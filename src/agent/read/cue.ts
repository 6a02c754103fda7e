/** What the words of a question say, one cue for each name, value or phrase. */
import type { ChangeType } from "../../catalog/impact.ts";
import type { Thing, Way } from "../catalog.ts";
import type { Aspect, Condition, Feature, Group, Measure, Span, Things } from "../plan.ts";
import type { Role } from "./roles.ts";

export interface Reach {
  way: Way;
  depth?: number | undefined;
  /** Whether people mean direct neighbours by it in a list, and all that lineage reaches in a yes or no. */
  isLoose?: boolean | undefined;
}

/** A noun for what can be said of an asset, counted, or grouped by; with a way, one for neighbours, such as "users". */
export interface Part extends Partial<Reach> {
  is: "part";
  aspect?: Aspect;
  feature?: Feature;
  measure?: Measure;
  group?: Group;
}

export type Word =
  | { is: "type"; set: Things }
  | ({ is: "relation" } & Reach)
  | { is: "adjective"; where: Condition }
  | Part
  | { is: "change"; change: ChangeType; isVague?: true }
  | { is: "span"; since: Span }
  | { is: "most"; least?: true; by?: Measure }
  | { is: "compare"; bound: (amount: number) => { least?: number; most?: number } }
  | { is: "number"; amount: number }
  | { is: "check"; any: string[] }
  /** What has the name; `set` is the likeliest. */
  | { is: "name"; things: readonly Thing[]; set: Things }
  | { is: "value"; where: Condition }
  | { is: Role };

export type Kind = Word["is"];
export type WordOf<K extends Kind> = Extract<Word, { is: K }>;

export interface Cue {
  /** As it is written. */
  text: string;
  /** What it may say, the likeliest first. */
  words: readonly Word[];
  /** 0 to 1: how surely a name is meant. */
  sureness: number;
  /** What a name may mean instead. */
  near?: readonly Thing[];
  /** Whether words that say nothing stand between it and the cue before it. */
  isApart?: boolean;
}

export function cueOf(text: string, ...words: Word[]): Cue {
  return { text, words, sureness: 1 };
}

/** What a cue says if it is taken as a word of this kind; undefined if it cannot be. */
export function as<K extends Kind>(cue: Cue | undefined, kind: K): WordOf<K> | undefined {
  return cue?.words.find((word): word is WordOf<K> => word.is === kind);
}

export function is(cue: Cue | undefined, ...kinds: readonly Kind[]): boolean {
  return cue?.words.some((word) => kinds.includes(word.is)) ?? false;
}

/** Whether one of the cues may be taken as a word of these kinds. */
export function hasCue(cues: readonly Cue[], ...kinds: readonly Kind[]): boolean {
  return cues.some((cue) => is(cue, ...kinds));
}

export function isName(cue: Cue): boolean {
  return is(cue, "name");
}

export function nameOf(cue: Cue | undefined): Omit<WordOf<"name">, "is"> {
  return as(cue, "name") ?? { things: [], set: {} };
}

export function isColumnType(cue: Cue | undefined): boolean {
  return isOf(as(cue, "type")?.set, "column");
}

/** What a cue says can be counted. */
export function measureOf(cue: Cue | undefined): Measure | undefined {
  return isColumnType(cue) ? "columns" : as(cue, "part")?.measure;
}

/** Whether a set has types, and no others than these. */
export function isOf(set: Things | undefined, ...types: string[]): boolean {
  return set?.types?.every((type) => types.includes(type)) ?? false;
}

export function along({ way, depth, isLoose }: Reach, of: Things): Condition {
  return { is: "along", along: { way, of, depth, isLoose } };
}

/** Whether a cue may say such a condition by itself. */
export function says(cue: Cue | undefined, of: Condition["is"]): boolean {
  return cue?.words.some((word) => "where" in word && word.where.is === of) ?? false;
}

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
