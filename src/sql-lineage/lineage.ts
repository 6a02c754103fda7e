/** The ways from stored columns to one place in a statement, and how they grow step by step. */
import { DIRECT_TRANSFORMATIONS, type Transformation } from "./request.ts";
import type { Expression } from "./syntax.ts";

/** A column of one of the request's relations. */
export interface Origin {
  relation: number;
  column: string;
}

/** The SQL of a step, or plain text where the tree has no node for it. */
export type Step = Expression | string;

/** How an expression is read where it stands: in a filter, as an output, inside an aggregate. */
export interface Reading {
  transformation: Transformation;
  step: Step;
}

export interface Use extends Reading {
  origin: Origin;
}

export interface Lineage {
  /** One for each origin that is used directly, one for each origin and word that is used indirectly. */
  uses: ReadonlyMap<string, Use>;
  /** Why some ways may be missing; null when all are known. */
  unresolved: string | null;
}

/** What comes from no column, such as a literal. */
export const NOTHING: Lineage = { uses: new Map(), unresolved: null };

const STRENGTH: readonly string[] = DIRECT_TRANSFORMATIONS;

export function isDirect(transformation: Transformation): boolean {
  return STRENGTH.includes(transformation);
}

function stronger(a: Transformation, b: Transformation): Transformation {
  return STRENGTH.indexOf(a) < STRENGTH.indexOf(b) ? b : a;
}

/** The same reading inside a function: what is read directly is at least transformed so. */
export function deepen(reading: Reading, transformation: "TRANSFORMATION" | "AGGREGATION"): Reading {
  if (!isDirect(reading.transformation)) return reading;
  return { ...reading, transformation: stronger(reading.transformation, transformation) };
}

export function unknown(reason: string): Lineage {
  return { uses: new Map(), unresolved: reason };
}

function keyOf({ origin, transformation }: Use): string {
  const word = isDirect(transformation) ? "DIRECT" : transformation;
  return `${origin.relation} ${word} ${origin.column}`;
}

export function stored(origin: Origin): Lineage {
  const use: Use = { origin, transformation: "IDENTITY", step: origin.column };
  return { uses: new Map([[keyOf(use), use]]), unresolved: null };
}

/**
 * A use as seen through one more step. What is used indirectly keeps its word: a column that orders a window
 * does so wherever the window's result is read. A step that only passes values on leaves the earlier step's text.
 */
function through(use: Use, { transformation, step }: Reading): Use {
  if (!isDirect(use.transformation) || transformation === "IDENTITY") return use;
  if (!isDirect(transformation)) return { origin: use.origin, transformation, step };
  return { origin: use.origin, transformation: stronger(use.transformation, transformation), step };
}

/** Gathers lineage; of two ways from one origin with one word the first stays, of direct ones the strongest. */
export class Gathering {
  readonly #uses = new Map<string, Use>();
  #unresolved: string | null = null;

  add(lineage: Lineage, reading?: Reading): this {
    this.#unresolved ??= lineage.unresolved;
    for (const before of lineage.uses.values()) {
      const use = reading === undefined ? before : through(before, reading);
      const key = keyOf(use);
      const known = this.#uses.get(key);
      if (known === undefined || stronger(known.transformation, use.transformation) !== known.transformation) {
        this.#uses.set(key, use);
      }
    }
    return this;
  }

  get lineage(): Lineage {
    return { uses: this.#uses, unresolved: this.#unresolved };
  }
}

/** Lineage as it is seen through one more step. */
export function readAs(lineage: Lineage, reading: Reading): Lineage {
  return new Gathering().add(lineage, reading).lineage;
}

export function join(...all: readonly Lineage[]): Lineage {
  const known = all.filter(({ uses, unresolved }) => uses.size > 0 || unresolved !== null);
  if (known.length < 2) return known[0] ?? NOTHING;
  return known.reduce((gathering, lineage) => gathering.add(lineage), new Gathering()).lineage;
}
