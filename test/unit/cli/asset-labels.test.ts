import { expect, test } from "vitest";

import { labelsOf } from "../../../src/cli/asset-labels.ts";

const path = (fqn: string) => ({ id: fqn, name: fqn, fqn });

test("A long path is cut to its end in a list, unless another one ends in the same way", () => {
  const one = path("/data/lake/raw/customers");
  expect(labelsOf([one, path("/data/lake/raw/orders")])(one)).toBe("…/lake/raw/customers");
  expect(labelsOf([one, path("/old/lake/raw/customers")])(one)).toBe("/data/lake/raw/customers");
  expect(labelsOf([path("shop.raw.orders")])(path("shop.raw.orders"))).toBe("shop.raw.orders");
});
