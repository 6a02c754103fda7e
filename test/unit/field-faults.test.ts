/** What callers are told of a field that does not fit. */
import { expect, it } from "vitest";
import { z } from "zod";

import { toFaults } from "../../src/field-faults.ts";

const fields = z.strictObject({
  context: z.object({ tags: z.array(z.string()).max(2).optional() }),
  limit: z.int().min(1).max(200),
  depth: z.int().min(1, "must be from 1 to 10"),
  mode: z.enum(["full", "incremental"]).optional(),
});
const FITTING = { context: {}, limit: 5, depth: 3 };

it.each([
  [{ context: 5 }, "context must be an object"],
  [{ context: undefined }, "context is missing"],
  [{ context: { tags: "a" } }, "context.tags must be a list"],
  [{ context: { tags: ["a", "b", "c"] } }, "context.tags may have at most 2 items"],
  [{ limit: "5" }, "limit must be a number"],
  [{ limit: 1.5 }, "limit must be a whole number"],
  [{ limit: 201 }, "limit must be at most 200"],
  [{ limit: 1e20 }, "limit is too large"],
  [{ limit: 0 }, "limit must be at least 1"],
  [{ depth: 0 }, "depth must be from 1 to 10"],
  [{ mode: "some" }, "mode must be one of full, incremental"],
  [{ other: 1 }, "other is not known here"],
])("The fault of %j is told as “%s”", (given, told) => {
  const { error } = fields.safeParse({ ...FITTING, ...given });
  const [first] = error?.issues.flatMap((issue) => toFaults(issue)) ?? [];
  expect(`${first?.field} ${first?.message}`).toBe(told);
});
