/** Returns a value without which a test cannot continue. */
export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("there is nothing where the test needs something");
  return value;
}
