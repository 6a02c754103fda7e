/** What becomes of a write in the name of a connector that was removed, the same for every engine. */
import { AppError } from "../errors.ts";

export function removedConnector(): AppError {
  return new AppError("conflict", "The connector was removed: nothing more is taken from it.");
}
