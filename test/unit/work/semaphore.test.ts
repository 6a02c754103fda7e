import { expect, it } from "vitest";

import { createSemaphore } from "../../../src/work/semaphore.ts";

it("A semaphore with one slot runs work in order, and continues after a failure", async () => {
  const oneByOne = createSemaphore(1);
  const events: string[] = [];
  const work = (name: string, ends: Promise<string>) => async (): Promise<string> => {
    events.push(`${name} begins`);
    return ends.finally(() => events.push(`${name} ends`));
  };
  const first = Promise.withResolvers<string>();
  const answers = [
    oneByOne(work("first", first.promise)),
    oneByOne(work("second", Promise.reject(new Error("no")))),
    oneByOne(work("third", Promise.resolve("3"))),
  ];
  first.resolve("1");
  expect(await Promise.allSettled(answers)).toMatchObject([
    { value: "1" },
    { reason: new Error("no") },
    { value: "3" },
  ]);
  expect(events).toEqual(["first begins", "first ends", "second begins", "second ends", "third begins", "third ends"]);
});

it("A semaphore runs as much work at one time as it has slots, and no more", async () => {
  const inPlace = createSemaphore(3);
  let running = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
  };
  await Promise.all(Array.from({ length: 20 }, () => inPlace(work)));
  expect([most, running]).toEqual([3, 0]);
});
