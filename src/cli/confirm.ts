/** Asks the person at the terminal before a command that cannot be undone. */
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

import { AppError } from "../errors.ts";

interface Terminal {
  input: Readable;
  output: Writable;
}

/** @returns whether the answer is yes. The end of the input counts as no. */
export function confirm(
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  const lines = createInterface({ input, output });
  return new Promise((resolve) => {
    lines.once("close", () => resolve(false));
    lines.question(`${question} [y/N] `, (answer) => {
      resolve(/^y(es)?$/i.test(answer.trim()));
      lines.close();
    });
  });
}

/** @throws AppError `bad_request` unless `yes` is true or a person at the terminal agrees */
export async function requireYes(question: string, yes: boolean, verb: "change" | "remove"): Promise<void> {
  if (yes || (process.stdin.isTTY && (await confirm(question)))) return;
  throw new AppError("bad_request", `Nothing was ${verb}d. Use --yes to ${verb} it.`);
}
