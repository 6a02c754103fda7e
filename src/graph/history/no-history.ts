import { AppError, badField, isFieldFaults } from "../../errors.ts";

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
  const details = error instanceof AppError ? error.details : undefined;
  if (isFieldFaults(details) && details.some(({ field }) => field === "asOf")) return null;
  throw error;
}
