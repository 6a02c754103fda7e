/** The values that statements bind. They are the same on every engine. */
import { AppError } from "../errors.ts";

export type BoundValue = string | number | bigint | null;

/** @throws AppError `bad_request` if a text has the character U+0000, which PostgreSQL cannot keep */
export function toBoundValue(value: unknown): BoundValue {
  if (typeof value === "string") {
    if (value.includes("\0")) throw new AppError("bad_request", "A text with the character U+0000 cannot be stored.");
    return value;
  }
  if (value === null || typeof value === "number" || typeof value === "bigint") return value;
  throw new TypeError(`The metadata store binds text and numbers, not ${typeof value}.`);
}
