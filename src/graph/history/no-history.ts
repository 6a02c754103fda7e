import { AppError, badField } from "../../errors.ts";

/** @param beginning when history begins; null if there is none */
export function noHistory(field: string, beginning: string | null): AppError {
  const message =
    beginning === null
      ? "nothing has been written yet, so there is no history"
      : `is before the history begins: ask for ${beginning} or later`;
  return badField(field, message);
}

/** For a caller to whom it does not matter that history begins later. */
export function nullIfTooEarly(error: unknown): null {
  if (error instanceof AppError && JSON.stringify(error.details ?? null).includes('"asOf"')) return null;
  throw error;
}
