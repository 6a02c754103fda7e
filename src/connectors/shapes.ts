/** Shapes of values that a source may leave out. */
import { z } from "zod";

/** `otherwise` if the value is absent or null. */
export function orElse<T>(shape: z.ZodType<T>, otherwise: NoInfer<T>) {
  return shape.nullish().transform((value): T => value ?? otherwise);
}

/** Null if the value is absent. */
export function orNull<T>(shape: z.ZodType<T>) {
  return shape.nullish().transform((value): NonNullable<T> | null => value ?? null);
}

/**
 * `otherwise` if the value is absent, null or of another form. For what is not essential: one odd value must not lose the
 * object around it.
 * @param note is called if it has another form
 */
export function lenient<T>(shape: z.ZodType<T>, otherwise: NoInfer<T>, note: () => void = () => {}) {
  return shape
    .nullish()
    .catch(() => {
      note();
      return null;
    })
    .transform((value): T => value ?? otherwise);
}

/** Null if the value is absent or of another form. */
export function lenientOrNull<T>(shape: z.ZodType<T>) {
  return shape
    .nullish()
    .catch(null)
    .transform((value): NonNullable<T> | null => value ?? null);
}

export const lenientText = lenient(z.string(), "");
export const lenientFlag = lenient(z.boolean(), false);

/** The members that say something: neither null nor an empty text, list or object. */
export function withoutEmpty(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  return value === "" || value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

/** Whether the value is an object of JSON. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
