import { expect, it } from "vitest";

import { createOneByOne } from "../../../src/work/one-by-one.ts";

it("begins no work before the one that was asked for first is done, and goes on after a failure", async () => {
  const oneByOne = createOneByOne();
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
