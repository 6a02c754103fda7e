/** Limits the cost of one request. It is charged for what it really reads and answers, while it runs. */
import { AppError } from "../errors.ts";
import type { LargeSlot } from "./large-requests.ts";
import type { RequestRows } from "./row-memory-limit.ts";

export interface BudgetLimits {
  /** Nodes, edges and other rows that are read from a store. */
  rows: number;
  /** Fields of the answer. A field inside a list counts once for each item. */
  fields: number;
  /** Bytes of the answer as JSON. */
  bytes: number;
}

/** A request that draws more than this is a large one: it takes about ten megabytes. */
const LARGE = { rows: 10_000, fields: 100_000 };

/** A small limit for lineage results must not make ordinary requests impossible. */
const LEAST_NODES = 100;

/** Limits that are several times as large as the largest permitted result. */
export function toBudgetLimits(settings: { maxLineageNodes: number; maxAnswerBytes: number }): BudgetLimits {
  const nodes = Math.max(LEAST_NODES, settings.maxLineageNodes);
  return { rows: 50 * nodes, fields: 120 * nodes, bytes: settings.maxAnswerBytes };
}

interface BudgetParts {
  limits: BudgetLimits;
  /** Counts the rows that the request has in memory. */
  held?: RequestRows;
  /** Taken when the request becomes large. */
  slot?: LargeSlot;
  /** Called when the budget is spent, to stop all work for the request. */
  onSpent?: (reason: AppError) => void;
  /** The budget of the whole request, for a part of it. */
  whole?: Budget | undefined;
}

export class Budget {
  readonly #limits: BudgetLimits;
  readonly #whole: Budget | undefined;
  readonly #held: RequestRows | undefined;
  readonly #slot: LargeSlot | undefined;
  readonly #onSpent: (reason: AppError) => void;
  readonly #spent = { rows: 0, fields: 0 };
  /** What was drawn here, and not by parts. */
  readonly #own = { rows: 0, fields: 0 };
  #hasSlot = false;

  constructor({ limits, held, slot, onSpent = () => {}, whole }: BudgetParts) {
    this.#whole = whole;
    this.#limits = limits;
    this.#held = held;
    this.#slot = slot;
    this.#onSpent = onSpent;
  }

  get spent(): Readonly<{ rows: number; fields: number }> {
    return this.#spent;
  }

  /** The largest permitted answer, in bytes. */
  get bytes(): number {
    return this.#limits.bytes;
  }

  /**
   * Charges the request.
   * @throws AppError `bad_request` if the budget is spent, `unavailable` if there is no memory for the rows now
   */
  draw(what: "rows" | "fields", amount: number): void {
    this.#own[what] += amount;
    this.#pay(what, amount);
  }

  #pay(what: "rows" | "fields", amount: number): void {
    if (this.#whole !== undefined) return this.#whole.#pay(what, amount);
    try {
      this.#spent[what] += amount;
      if (this.#spent[what] > this.#limits[what]) throw overBudget(what, this.#limits[what]);
      if (what === "rows") this.#held?.hold(amount);
    } catch (refusal) {
      if (refusal instanceof AppError) this.#onSpent(refusal);
      throw refusal;
    }
  }

  /**
   * Resolves when the request may draw so many more rows. A large one waits until few others are under way. So does a large
   * part, unless the whole is under way: between parts, a question may wait for a language model.
   */
  async grow(rows = 0): Promise<void> {
    const isLarge = this.#own.rows + rows > LARGE.rows || this.#own.fields > LARGE.fields;
    if (!isLarge || this.#isUnderWay()) return;
    await this.#slot?.take();
    this.#hasSlot = true;
  }

  #isUnderWay(): boolean {
    return this.#hasSlot || (this.#whole !== undefined && this.#whole.#isUnderWay());
  }

  /** For a part of the request: it draws on this budget, and its end does not close it. */
  share(slot?: LargeSlot): Budget {
    return new Budget({ limits: this.#limits, whole: this, ...(slot && { slot }) });
  }

  /** Call it when the request has been answered. */
  close(): void {
    this.#held?.release();
    this.#slot?.release();
  }
}

const WORDS = {
  rows: (limit: string) => `It reads more than ${limit} nodes, edges and other rows.`,
  fields: (limit: string) =>
    `Its answer has more than ${limit} fields; a field inside a list counts once for each item.`,
  bytes: (limit: string) => `Its answer has more than ${limit} bytes.`,
};

/** The error of a request that exceeds its budget. */
export function overBudget(what: keyof BudgetLimits, limit: number): AppError {
  const reason = WORDS[what](limit.toLocaleString("en-US"));
  return new AppError("bad_request", `This is too much for one request. ${reason} Ask for less at once.`, {
    details: { reason: "budget", budget: what, limit },
    endsRequest: true,
  });
}
