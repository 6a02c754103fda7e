/** The error for a write in the name of a removed connector, the same for every engine. */
import { AppError } from "../errors.ts";

export function removedConnector(): AppError {
  return new AppError("conflict", "The connector was removed. Nothing can be written in its name any more.");
}
