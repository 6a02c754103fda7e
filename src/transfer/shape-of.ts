/** Shapes that the compiler compares with the types of what they check. */
import { z } from "zod";

/** Whether each of two types can be used as the other. */
type IsSame<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

type OptionalKeys<T> = { [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? K : never }[keyof T];

/** Whether a shape accepts what a field of the type can hold, and nothing else. */
type Fits<T, K extends keyof T, Shape> =
  IsSame<Exclude<z.output<Shape>, undefined>, Exclude<T[K], undefined>> extends true
    ? IsSame<undefined extends z.output<Shape> ? true : false, K extends OptionalKeys<T> ? true : false>
    : false;

/** The shapes themselves, but `never` for one that does not fit. */
type Fitting<T, Shapes> = {
  [K in keyof Shapes]: K extends keyof T ? (Fits<T, K, Shapes[K]> extends true ? Shapes[K] : never) : never;
};

/**
 * Makes the shape of an object from those of its fields. It does not compile unless it has every field of the type, even
 * the optional ones, and no other, so what the service stores is never refused.
 */
export function shapeOf<T extends object>() {
  return <Shapes extends Record<keyof T, z.ZodType>>(shapes: Shapes & Fitting<T, Shapes>): z.ZodType<T> =>
    // `Fitting` has compared them.
    z.strictObject<z.ZodRawShape>(shapes) as unknown as z.ZodType<T>;
}
