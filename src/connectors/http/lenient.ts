/** Shapes of values in an API's answers that are not essential: one odd value must not lose the object around it. */
import { z } from "zod";

/** "" if it is absent or no text. */
export const lenientText = z
  .string()
  .nullish()
  .catch(null)
  .transform((value) => value ?? "");

/** False if it is absent or something else. */
export const lenientFlag = z
  .boolean()
  .nullish()
  .catch(null)
  .transform((value) => value ?? false);
