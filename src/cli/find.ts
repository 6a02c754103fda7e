/** Finds the user that is named on the command line. */
import { AppError } from "../errors.ts";

/** @throws AppError `not_found` */
export function pickUser<T extends { id: string; email: string }>(users: readonly T[], emailOrId: string): T {
  const found = users.find(({ id, email }) => id === emailOrId || email === emailOrId);
  if (found !== undefined) return found;
  throw new AppError("not_found", `There is no person ${emailOrId}; tributary person list shows all people.`);
}
