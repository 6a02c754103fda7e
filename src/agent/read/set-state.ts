/** What was read so far of a set, and what its readers share. */
import { allOf, anyOf, type Condition, not, type Things } from "../plan.ts";
import { type Cue, is } from "./cue.ts";

export type Way = "upstream" | "downstream";

export interface Reach {
  way: Way;
  depth?: number | undefined;
  isLoose?: boolean | undefined;
}

/** A set as far as it was read. */
export interface SetRead {
  set: Things;
  /** The conditions on it, in the order in which they were said. */
  where: Condition[];
  /** Names that are neither what is asked for nor in a condition. */
  names: Cue[];
  isEvery: boolean;
  end: number;
}

export class SetState {
  readonly cues: readonly Cue[];
  /** Every cue that a condition was made of. */
  readonly used: Set<Cue>;
  readonly from: number;
  /** Reads the object of a relation. */
  readonly readInner: (at: number) => SetRead;
  at: number;
  subject: Things | undefined;
  type: Cue | undefined;
  lastType: Cue | undefined;
  /** Whether the next condition is not to hold, or is another one for the last. */
  isNegated = false;
  isEither = false;
  /** Whether the last condition is not to hold, by words of its own. */
  wasNegated = false;
  isEvery = false;
  /** A noun for neighbours that waits for its name. */
  reach: (Reach & { cue: Cue }) | undefined;
  where: Condition[] = [];
  /** Names that have no place yet. */
  names: Cue[] = [];

  constructor(cues: readonly Cue[], used: Set<Cue>, from: number, readInner: (at: number) => SetRead) {
    [this.cues, this.used, this.from, this.at, this.readInner] = [cues, used, from, from, readInner];
  }

  /** Whether it is the object of a relation, which ends where another condition of the subject begins. */
  get isInner(): boolean {
    return this.from > 0;
  }

  put(condition: Condition): void {
    const said = this.isNegated ? not(condition) : condition;
    const last = this.where.at(-1);
    if (this.isEither && last !== undefined) this.where.splice(-1, 1, anyOf(last, said));
    else this.where.push(said);
    [this.wasNegated, this.isNegated, this.isEither] = [this.isNegated, false, false];
  }

  take(...some: readonly (Cue | undefined)[]): void {
    for (const cue of some) if (cue !== undefined) this.used.add(cue);
  }
}

export function inverse(way: Way): Way {
  return way === "upstream" ? "downstream" : "upstream";
}

export function along({ way, depth, isLoose }: Reach, of: Things): Condition {
  if (isLoose) return { is: "along", along: { way, of, depth: 1, isLoose } };
  return { is: "along", along: { way, of, ...(depth !== undefined && { depth }) } };
}

export function withConditions(set: Things, conditions: readonly Condition[]): Things {
  const where = allOf(set.where, ...conditions);
  const { where: _, ...rest } = set;
  return where === undefined ? rest : { ...rest, where };
}

export function isColumns(set: Things | undefined): boolean {
  return set?.types?.join() === "column";
}

export function isTables(set: Things | undefined): boolean {
  return set?.types?.every((type) => type === "table" || type === "model") ?? false;
}

/** Whether a set follows that a relation may be to. */
export function hasObject({ cues }: SetState, index: number): boolean {
  let i = index;
  while (is(cues[i], "in", "every", "not", "both", "a")) i++;
  return is(cues[i], "type", "adjective", "value", "name", "compare", "made", "tagged");
}

/** Whether no condition has taken the cue yet. */
export function isFree({ used }: SetState, cue: Cue | undefined): cue is Cue {
  return cue !== undefined && !used.has(cue);
}
