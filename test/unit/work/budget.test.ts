import { describe, expect, it, vi } from "vitest";

import type { AppError } from "../../../src/errors.ts";
import { Budget, toBudgetLimits } from "../../../src/work/budget.ts";

const LIMITS = { rows: 10, fields: 20, bytes: 100 };

describe("The budget of a request", () => {
  it("The budget of a request counts rows and fields separately, up to its limits", () => {
    const budget = new Budget({ limits: LIMITS });
    budget.draw("rows", 10);
    budget.draw("fields", 20);
    expect(budget.spent).toEqual({ rows: 10, fields: 20 });
  });

  it("A spent budget refuses the whole request, and aborts its running work", () => {
    const onSpent = vi.fn<(reason: AppError) => void>();
    const budget = new Budget({ limits: LIMITS, onSpent });
    budget.draw("rows", 8);
    expect(() => budget.draw("rows", 3)).toThrow("It reads more than 10 nodes, edges and other rows.");
    expect(onSpent).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        code: "bad_request",
        endsRequest: true,
        details: { reason: "budget", budget: "rows", limit: 10 },
      }),
    );
  });

  it("A part of a request draws on the budget of the whole", () => {
    const whole = new Budget({ limits: LIMITS });
    whole.share().draw("rows", 6);
    whole.share().share().draw("rows", 4);
    expect(whole.spent).toEqual({ rows: 10, fields: 0 });
    expect(() => whole.share().draw("rows", 1)).toThrow("It reads more than 10 nodes, edges and other rows.");
  });

  it("The budget has room for the largest results that the settings allow", () => {
    const limits = toBudgetLimits({ maxLineageNodes: 10_000, maxAnswerBytes: 1_000 });
    expect(limits).toEqual({ rows: 500_000, fields: 1_200_000, bytes: 1_000 });
  });

  it("The budget has a minimum, even if the settings allow only small results", () => {
    const limits = toBudgetLimits({ maxLineageNodes: 1, maxAnswerBytes: 1_000 });
    expect(limits).toEqual({ rows: 5_000, fields: 12_000, bytes: 1_000 });
  });
});
