/** The value, where a test cannot go on without it. */
export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("there is nothing where the test needs something");
  return value;
}
