import { expect, test } from "vitest";

import { inOrder } from "../../../../src/connectors/http/in-order.ts";

test("inOrder yields results in the order of the items, and starts only as many items as permitted", async () => {
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

test("inOrder throws the error of an item in the item's place", async () => {
  const results = inOrder(["slow", "bad"], 2, async (item) => {
    if (item === "bad") throw new Error("bad");
    await Promise.resolve();
    return item;
  });
  expect((await results.next()).value).toBe("slow");
  await expect(results.next()).rejects.toThrow("bad");
});
