/** What each setting is for, in words. */
import { z } from "zod";

export interface Words {
  about: string;
  default?: string;
  /** Used in the error about a wrong value: "PORT must be …". */
  mustBe: string;
  /** Whether it is a secret or may contain one. Then the name with `_FILE` may name a file with the value instead. */
  isSecret?: true;
}

export const words = z.registry<Words>();

export function wordsOf(value: z.core.$ZodType): Words {
  const found = words.get(value);
  if (found === undefined) throw new TypeError("A setting has no description.");
  return found;
}
