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

/** What every value of a form must be. A setting may have other words for it. */
export const forms = z.registry<Pick<Words, "mustBe">>();
export const words = z.registry<Omit<Words, "mustBe"> & Partial<Pick<Words, "mustBe">>>();

export function wordsOf(value: z.core.$ZodType): Words {
  const form = forms.get(value instanceof z.ZodOptional ? value.unwrap() : value);
  const own = words.get(value);
  const mustBe = own?.mustBe ?? form?.mustBe;
  if (own === undefined || mustBe === undefined) throw new TypeError("A setting has no description.");
  return { ...own, mustBe };
}
