/** The arguments that are given. For one that is left out, GraphQL has a null or nothing. */
export function given<Args extends object>(args: Args): { [Name in keyof Args]?: NonNullable<Args[Name]> } {
  // It has the same names, and no nulls.
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value != null)) as never;
}
