/** What one request may cost. It is charged for what is really read and answered, as it goes. */
import { AppError } from "../errors.ts";

export interface BudgetLimits {
  /** Nodes, edges and other rows that are read from a store. */
  rows: number;
  /** Fields of the answer. */
  fields: number;
  /** Bytes of the answer as JSON. */
  bytes: number;
}

/** What every largest result fits into, several times over. */
export function limitsFor(settings: { maxLineageNodes: number; maxAnswerBytes: number }): BudgetLimits {
  const { maxLineageNodes, maxAnswerBytes } = settings;
  return { rows: 50 * maxLineageNodes, fields: 100 * maxLineageNodes, bytes: maxAnswerBytes };
}

/** What one request has spent. */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #onSpent: (reason: AppError) => void;
  readonly #spent = { rows: 0, fields: 0 };

  /** @param onSpent told when a limit is passed, so that what is still under way for the request can be called off */
  constructor(limits: BudgetLimits, onSpent: (reason: AppError) => void = () => {}) {
    this.#limits = limits;
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
   * @throws AppError `bad_request` with the reason `budget` when that is more than it may cost
   */
  draw(what: "rows" | "fields", amount: number): void {
    this.#spent[what] += amount;
    if (this.#spent[what] <= this.#limits[what]) return;
    const refusal = overBudget(what, this.#limits[what]);
    this.#onSpent(refusal);
    throw refusal;
  }
}

const WORDS = {
  rows: (limit: string) => `It reads more than ${limit} nodes, edges and other rows.`,
  fields: (limit: string) => `Its answer has more than ${limit} fields.`,
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
