import { type AppError, badField } from "../../errors.ts";

/** @param beginning when history begins; null if there is none */
export function noHistory(field: string, beginning: string | null): AppError {
  const message =
    beginning === null
      ? "nothing has been written yet, so there is no history"
      : `is before the history begins: ask for ${beginning} or later`;
  return badField(field, message);
}
