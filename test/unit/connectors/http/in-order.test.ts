import { expect, test } from "vitest";

import { inOrder } from "../../../../src/connectors/http/in-order.ts";

test("results come in the order of the items, and no more items are begun than fit", async () => {
  const begun: number[] = [];
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const results = inOrder([0, 1, 2, 3], 2, async (item) => {
    begun.push(item);
    await gates[item]?.promise;
    return item * 10;
  });
  const first = results.next();
  gates[1]?.resolve();
  await gates[1]?.promise;
  expect(begun).toEqual([0, 1]);
  gates[0]?.resolve();
  expect((await first).value).toBe(0);
  gates[2]?.resolve();
  gates[3]?.resolve();
  expect(await Array.fromAsync(results)).toEqual([10, 20, 30]);
});

test("the error of an item is thrown in its turn", async () => {
  const results = inOrder(["slow", "bad"], 2, async (item) => {
    if (item === "bad") throw new Error("bad");
    await Promise.resolve();
    return item;
  });
  expect((await results.next()).value).toBe("slow");
  await expect(results.next()).rejects.toThrow("bad");
});
