/** What was read so far of a set of assets. */
import { anyOf, type Condition, not, type Things } from "../plan.ts";
import type { Cue } from "./cue.ts";

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

/** What was read so far of a set, and what its readers share. */
export abstract class SetState {
  readonly cues: readonly Cue[];
  /** Every cue that a condition was made of. */
  readonly used: Set<Cue>;
  readonly from: number;
  at: number;
  subject: Things | undefined;
  where: Condition[] = [];
  /** Names that have no place yet. */
  names: Cue[] = [];
  /** Whether the next condition is not to hold, or is another one for the last. */
  isNegated = false;
  isEither = false;
  /** Whether the last condition is not to hold, by words of its own. */
  protected wasNegated = false;

  constructor(cues: readonly Cue[], used: Set<Cue>, from = 0) {
    [this.cues, this.used, this.from, this.at] = [cues, used, from, from];
  }

  /** Whether it is the object of a relation, which ends where another condition of the subject begins. */
  get isInner(): boolean {
    return this.from > 0;
  }

  take(...some: readonly (Cue | undefined)[]): void {
    for (const cue of some) if (cue !== undefined) this.used.add(cue);
  }

  put(condition: Condition, ...taken: readonly (Cue | undefined)[]): void {
    this.take(...taken);
    const said = this.isNegated ? not(condition) : condition;
    const last = this.where.at(-1);
    if (this.isEither && last !== undefined) this.where.splice(-1, 1, anyOf(last, said));
    else this.where.push(said);
    [this.wasNegated, this.isNegated, this.isEither] = [this.isNegated, false, false];
  }

  get before(): Cue | undefined {
    return this.cues[this.at - 1];
  }

  get next(): Cue | undefined {
    return this.cues[this.at + 1];
  }

  /** What stands behind a relation, or behind "of". */
  abstract readInner(at: number): SetRead;
}
