/** The stored columns that a part of a statement uses, and how each use changes step by step. */
import { DIRECT_TRANSFORMATIONS, type Transformation } from "./request.ts";
import type { Expression } from "./syntax.ts";

/** A column of one of the request's relations. */
export interface Origin {
  relation: number;
  column: string;
  /** The listed columns that are fields of this one, by path in lower case, such as `geo.lat`. */
  fields?: ReadonlyMap<string, string>;
  /** The relation lists fields of this column, but not the column itself. */
  implied?: true;
}

/** The condition of a join, and a word for the join. */
export interface JoinCondition {
  joinCondition: Expression;
  kind: string;
}

/** The SQL of a step, or plain text if the tree has no node for it. */
export type Step = Expression | JoinCondition | string;

/** How an expression is used: in a filter, as an output, inside an aggregate. */
export interface SqlReading {
  transformation: Transformation;
  step: Step;
}

export interface Use extends SqlReading {
  origin: Origin;
  /** The column is an array, and the value is one of its elements. Its fields are those of the column. */
  isElement?: true;
  /**
   * It decides rows only because whole rows are compared, as in `distinct` and `union`, or because the select list makes
   * several rows of it. It is no parent of the other columns: each of them would have all of them as parents.
   */
  isCompared?: true;
}

export interface Lineage {
  /** One for each origin that is used directly, and one for each origin and kind of indirect use. */
  uses: ReadonlyMap<string, Use>;
  /** Why some uses may be missing; null if all are known. */
  unresolved: string | null;
}

/** The lineage of a value that comes from no column, such as a literal. */
export const NOTHING: Lineage = { uses: new Map(), unresolved: null };

const STRENGTH: readonly string[] = DIRECT_TRANSFORMATIONS;

export function isDirect(transformation: Transformation): boolean {
  return STRENGTH.includes(transformation);
}

function stronger(a: Transformation, b: Transformation): Transformation {
  return STRENGTH.indexOf(a) < STRENGTH.indexOf(b) ? b : a;
}

/**
 * The reading of a function's arguments: a direct use is at least this transformation. An indirect one stays the same.
 */
export function deepen(reading: SqlReading, transformation: "TRANSFORMATION" | "AGGREGATION"): SqlReading {
  if (!isDirect(reading.transformation)) return reading;
  return { ...reading, transformation: stronger(reading.transformation, transformation) };
}

/** The uses of values that are compared as whole rows, or of which rows are made. */
export function comparedAs(step: string, values: Lineage): Lineage {
  const compared = new Map<string, Use>();
  for (const { origin } of values.uses.values()) {
    const use: Use = { origin, transformation: "GROUP_BY", step, isCompared: true };
    compared.set(keyOf(use), use);
  }
  return { uses: compared, unresolved: null };
}

/** All uses as parents: what a query within an expression compares decides the value of the expression. */
export function asParents({ uses, unresolved }: Lineage): Lineage {
  const parents = new Map<string, Use>();
  for (const { origin, transformation, step } of uses.values()) {
    const use: Use = { origin, transformation, step };
    parents.getOrInsert(keyOf(use), use);
  }
  return { uses: parents, unresolved };
}

/** What decides every column: not the columns that are only compared. */
export function withoutCompared({ uses, unresolved }: Lineage): Lineage {
  return { uses: new Map([...uses].filter(([, { isCompared }]) => isCompared !== true)), unresolved };
}

export function unknown(reason: string): Lineage {
  return { uses: new Map(), unresolved: reason };
}

function keyOf({ origin, transformation, isCompared }: Use): string {
  const word = isDirect(transformation) ? "DIRECT" : isCompared ? "COMPARED" : transformation;
  return `${origin.relation} ${word} ${origin.column}`;
}

export function stored(origin: Origin): Lineage {
  const use: Use = { origin, transformation: "IDENTITY", step: origin.column };
  return { uses: new Map([[keyOf(use), use]]), unresolved: null };
}

/**
 * A use after one more step. An indirect use keeps its transformation: a column that orders a window does so wherever
 * the window's result is used. A step that only copies the value keeps the text of the step before.
 */
function through(use: Use, { transformation, step }: SqlReading): Use {
  if (!isDirect(use.transformation) || transformation === "IDENTITY") return use;
  if (!isDirect(transformation)) return { origin: use.origin, transformation, step };
  return { origin: use.origin, transformation: stronger(use.transformation, transformation), step };
}

/** Joins lineage. Of several direct uses of one origin, the strongest is kept; of equal uses, the first. */
export class Gathering {
  readonly #uses = new Map<string, Use>();
  #unresolved: string | null = null;

  add(lineage: Lineage, reading?: SqlReading): this {
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

/** The lineage of a field of a value. */
export interface FieldLineage {
  /** Listed columns that are the field itself. */
  whole: Lineage;
  /** Columns that contain the field. */
  part: Lineage;
}

/**
 * The lineage of a field. If the relation lists the field as a column, that column is used; if not, the column around
 * it.
 * @param path in lower case
 */
export function fieldOf({ uses, unresolved }: Lineage, path: readonly string[]): FieldLineage {
  const whole = new Gathering();
  const part = new Gathering().add({ uses: new Map(), unresolved });
  for (const use of uses.values()) {
    const field = listedFields(use, path).at(-1);
    const into = field?.length === path.length ? whole : part;
    const seen = { ...use, ...(field === undefined ? {} : { origin: field.origin }) };
    into.add({ uses: new Map([[keyOf(seen), seen]]), unresolved: null });
  }
  return { whole: whole.lineage, part: part.lineage };
}

/** Whether the value is a copy of the column or of one of its elements. */
export function isUnchanged({ transformation, isElement }: Use): boolean {
  return transformation === "IDENTITY" || isElement === true;
}

/** The listed columns for a field and for the fields around it, the outermost first. */
export function listedFields(use: Use, path: readonly string[]): { length: number; origin: Origin }[] {
  const { relation, fields } = use.origin;
  if (!isUnchanged(use) || fields === undefined) return [];
  return path.flatMap((_, i) => {
    const at = path.slice(0, i + 1).join(".");
    const column = fields.get(at);
    if (column === undefined) return [];
    const inner = [...fields].filter(([name]) => name.startsWith(`${at}.`));
    const own = new Map(inner.map(([name, field]) => [name.slice(at.length + 1), field]));
    return [{ length: i + 1, origin: { relation, column, fields: own } }];
  });
}

/** The lineage of an array's elements. */
export function elementOf({ uses, unresolved }: Lineage, step: Step): Lineage {
  const elements = [...uses].map(([key, use]): [string, Use] => {
    const seen = through(use, { transformation: "TRANSFORMATION", step });
    return [key, isUnchanged(use) ? { ...seen, isElement: true } : seen];
  });
  return { uses: new Map(elements), unresolved };
}

/** Whether two values are copies of the same columns, even under different names. */
export function isSame(a: Lineage, b: Lineage): boolean {
  if (a === b) return true;
  if (a.uses.size !== b.uses.size || a.unresolved !== b.unresolved) return false;
  return [...a.uses].every(([key, use]) => {
    return use.transformation === "IDENTITY" && b.uses.get(key)?.transformation === "IDENTITY";
  });
}

/** Lineage after one more step. */
export function readAs(lineage: Lineage, reading: SqlReading): Lineage {
  return new Gathering().add(lineage, reading).lineage;
}

export function join(...all: readonly Lineage[]): Lineage {
  const known = all.filter(({ uses, unresolved }) => uses.size > 0 || unresolved !== null);
  if (known.length < 2) return known[0] ?? NOTHING;
  return known.reduce((gathering, lineage) => gathering.add(lineage), new Gathering()).lineage;
}
