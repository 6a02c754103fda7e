/** What one request may cost. It is charged for what is really read and answered, as it goes. */
import { AppError } from "../errors.ts";
import type { Held } from "./held-rows.ts";

export interface BudgetLimits {
  /** Nodes, edges and other rows that are read from a store. */
  rows: number;
  /** Fields of the answer; one that is looked up for each item of a list counts for many. */
  fields: number;
  /** Bytes of the answer as JSON. */
  bytes: number;
}

/** However few nodes a result may hold, a request is more than that. */
const LEAST_NODES = 100;

/** What every largest result fits into, several times over. */
export function limitsFor(settings: { maxLineageNodes: number; maxAnswerBytes: number }): BudgetLimits {
  const nodes = Math.max(LEAST_NODES, settings.maxLineageNodes);
  return { rows: 50 * nodes, fields: 120 * nodes, bytes: settings.maxAnswerBytes };
}

interface BudgetParts {
  limits: BudgetLimits;
  /** What the request holds in memory. */
  held?: Held;
  /** Told when the request has to end, so that what is still under way for it can be called off. */
  onSpent?: (reason: AppError) => void;
}

/** What one request has spent. */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #held: Held | undefined;
  readonly #onSpent: (reason: AppError) => void;
  readonly #spent = { rows: 0, fields: 0 };

  constructor({ limits, held, onSpent = () => {} }: BudgetParts) {
    this.#limits = limits;
    this.#held = held;
    this.#onSpent = onSpent;
  }

  /** How much of it is spent. */
  get spent(): Readonly<{ rows: number; fields: number }> {
    return this.#spent;
  }

  /** How many bytes the answer may have. */
  get bytes(): number {
    return this.#limits.bytes;
  }

  /**
   * Charges the request.
   * @throws AppError `bad_request` when that is more than it may cost, `unavailable` when there is no room for it now
   */
  draw(what: "rows" | "fields", amount: number): void {
    try {
      this.#spent[what] += amount;
      if (this.#spent[what] > this.#limits[what]) throw overBudget(what, this.#limits[what]);
      if (what === "rows") this.#held?.hold(amount);
    } catch (refusal) {
      if (refusal instanceof AppError) this.#onSpent(refusal);
      throw refusal;
    }
  }

  /** The request has been answered. */
  close(): void {
    this.#held?.release();
  }
}

const WORDS = {
  rows: (limit: string) => `It reads more than ${limit} nodes, edges and other rows.`,
  fields: (limit: string) =>
    `Its answer costs more than ${limit} fields; what is looked up for each item of a list counts for many.`,
  bytes: (limit: string) => `Its answer has more than ${limit} bytes.`,
};

/** The error of a request that would cost too much. */
export function overBudget(what: keyof BudgetLimits, limit: number): AppError {
  const told = WORDS[what](limit.toLocaleString("en-US"));
  return new AppError("bad_request", `This is too much for one request. ${told} Ask for less of it at once.`, {
    details: { reason: "budget", budget: what, limit },
    endsRequest: true,
  });
}
