import { PassThrough } from "node:stream";

import { expect, it } from "vitest";

import { confirm } from "../../../src/cli/confirm.ts";

function answer(text: string): { output: PassThrough; answered: Promise<boolean> } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answered = confirm("Go on?", { input, output });
  input.end(text);
  return { output, answered };
}

it.each([
  ["y\n", true],
  ["YES\n", true],
  ["n\n", false],
  ["\n", false],
  ["yesterday\n", false],
  ["", false],
])("A question with the answer %j is confirmed: %s", async (text, isConfirmed) => {
  const { output, answered } = answer(text);
  expect(await answered).toBe(isConfirmed);
  expect(String(output.read())).toContain("Go on? [y/N] ");
});
