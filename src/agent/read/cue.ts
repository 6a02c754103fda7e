/** What the words of a question say, one cue for each name, value or phrase. */
import type { ChangeType } from "../../catalog/impact.ts";
import type { Thing } from "../catalog.ts";
import type { ROLES } from "./roles.ts";
import type { Aspect, Condition, Feature, Group, Measure, Things } from "../plan.ts";

/** A relation by lineage: its subject lies `way` of its object. */
export interface Relation {
  is: "relation";
  way: "upstream" | "downstream";
  depth?: number;
  /** Whether all that lineage reaches is meant by words of its own. */
  isFar?: true;
  /** Whether people mean direct neighbours by it, or all that lineage reaches. */
  isLoose?: true;
}

/** A noun for what can be said of an asset, counted, or grouped by. */
interface Part {
  is: "part";
  aspect?: Aspect;
  feature?: Feature;
  measure?: Measure;
  group?: Group;
  /** A noun for neighbours, such as "users". */
  way?: "upstream" | "downstream" | "both";
  depth?: number;
  isFar?: true;
  isLoose?: true;
}

/** Words that say something only beside others; "a" stands between a name and what is said of it. */
type Role = keyof typeof ROLES | "whether" | "possessive" | "comma" | "a" | "unknown";

export type Word =
  | { is: "type"; set: Things }
  | Relation
  | { is: "adjective"; where: Condition }
  | Part
  | { is: "change"; change: ChangeType; isVague?: true }
  | { is: "most"; least: boolean; by?: Measure; of?: "date" }
  | { is: "more"; least: boolean; by?: Measure }
  | { is: "compare"; bound: (amount: number) => { least?: number; most?: number } }
  | { is: "number"; amount: number }
  | { is: "check"; any: string[] }
  | { is: Role }
  /** What has the name; `set` is the likeliest. */
  | { is: "name"; things: readonly Thing[]; set: Things }
  | { is: "value"; of: "owner" | "tag" | "schema" | "connector" | "made" | "beginning"; where: Condition };

export type WordOf<K extends Word["is"]> = Extract<Word, { is: K }>;

export interface Cue {
  /** As it is written. */
  text: string;
  /** What it may say, the likeliest first. */
  words: readonly Word[];
  /** 0 to 1: how surely a name is meant. */
  sureness: number;
  /** Whether words that say nothing stand between it and the cue before it. */
  isApart?: boolean;
  /** Whether its type is said beside it: "the column status". */
  isTyped?: boolean;
}

/** What a cue says if it is taken as a word of this kind; undefined if it cannot be. */
export function as<K extends Word["is"]>(cue: Cue | undefined, kind: K): WordOf<K> | undefined {
  // A word of this kind has this `is`.
  return cue?.words.find((word) => word.is === kind) as WordOf<K> | undefined;
}

export function is(cue: Cue | undefined, ...kinds: readonly Word["is"][]): boolean {
  return cue?.words.some((word) => kinds.includes(word.is)) ?? false;
}

/** Whether one of the cues may be taken as a word of these kinds. */
export function hasCue(cues: readonly Cue[], ...kinds: readonly Word["is"][]): boolean {
  return cues.some((cue) => is(cue, ...kinds));
}

export function isColumnType(cue: Cue | undefined): boolean {
  return as(cue, "type")?.set.types?.join() === "column";
}
