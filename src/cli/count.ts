/** Parses whole numbers in arguments. */
import { InvalidArgumentError } from "commander";

/** @throws InvalidArgumentError if it is not a whole number of at least 1 */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It must be a whole number of at least 1.");
  return Number(text);
}
